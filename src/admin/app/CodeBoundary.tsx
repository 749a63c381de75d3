import { Component, type ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/**
 * Stands in for a screen that could not be shown: most often its code was not reached, or is gone because the site was
 * published anew while this page was open. Only loading the page again helps then.
 */
export class CodeBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice variant="destructive" title="This part of the admin could not be shown">
        <p>The site may have been published anew, or it could not be reached. Nothing that was saved is lost.</p>
        <Button icon="again" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </Notice>
    );
  }
}
