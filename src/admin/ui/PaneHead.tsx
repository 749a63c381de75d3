import type { ReactNode } from 'react';
import { IconButton } from './Button.tsx';

interface PaneHeadProps {
  titleId: string;
  title: string;
  /** Buttons beside the one that closes. */
  actions?: ReactNode;
  onClose: () => void;
}

/** The line at the top of a dialog or a side panel. */
export function PaneHead({ titleId, title, actions, onClose }: PaneHeadProps) {
  return (
    <div className="pane-head">
      <h2 id={titleId}>{title}</h2>
      {actions}
      <IconButton icon="cross" label="Close" onClick={onClose} />
    </div>
  );
}
