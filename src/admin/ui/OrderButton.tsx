import { Button } from './Button.tsx';

interface OrderButtonProps {
  sort: string;
  onSort: (sort: 'createdAt' | '-createdAt') => void;
}

/** Turns a list around by its time. */
export function OrderButton({ sort, onSort }: OrderButtonProps) {
  const newestFirst = sort === '-createdAt';
  return (
    <Button
      look="quiet"
      icon={newestFirst ? 'newest' : 'oldest'}
      title={newestFirst ? 'Show the oldest first' : 'Show the newest first'}
      onClick={() => onSort(newestFirst ? 'createdAt' : '-createdAt')}
    >
      {newestFirst ? 'Newest first' : 'Oldest first'}
    </Button>
  );
}
