import type { ReactNode } from 'react';
import { IconButton } from './Button.tsx';

interface PaneHeadProps {
  titleId: string;
  title: string;
  /** Buttons next to the close button. */
  actions?: ReactNode;
  onClose: () => void;
}

/** The header of a dialog or a side panel. */
export function PaneHead({ titleId, title, actions, onClose }: PaneHeadProps) {
  return (
    <div className="pane-head">
      <h2 id={titleId}>{title}</h2>
      {actions}
      <IconButton icon="cross" label="Close" onClick={onClose} />
    </div>
  );
}
