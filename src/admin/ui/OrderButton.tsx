import { useChoice } from '../lib/use-choice.ts';
import { Button } from './Button.tsx';

interface OrderButtonProps {
  sort: string;
  onSort: (sort: 'createdAt' | '-createdAt') => void;
}

/** Switches a list between newest first and oldest first. */
export function OrderButton({ sort, onSort }: OrderButtonProps) {
  const [marked, choose] = useChoice(sort, onSort);
  const newestFirst = marked === '-createdAt';
  return (
    <Button
      look="quiet"
      icon={newestFirst ? 'newest' : 'oldest'}
      title={
        newestFirst
          ? 'Sorted newest first. Click to show oldest first.'
          : 'Sorted oldest first. Click to show newest first.'
      }
      onClick={() => choose(newestFirst ? 'createdAt' : '-createdAt')}
    >
      {newestFirst ? 'Newest first' : 'Oldest first'}
    </Button>
  );
}
