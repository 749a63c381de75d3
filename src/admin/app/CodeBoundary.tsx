import { Component, type ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/**
 * Replaces a screen whose code could not be loaded because the server was unreachable, or because a new build removed
 * the file while this page was open. Only a reload helps then.
 */
export class CodeBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice variant="destructive" title="We couldn’t load this screen">
        <p>The site was updated or is unreachable. Reload the page.</p>
        <Button icon="again" onClick={() => window.location.reload()}>
          Reload page
        </Button>
      </Notice>
    );
  }
}
