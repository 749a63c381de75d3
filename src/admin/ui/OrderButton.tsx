import { Button } from './Button.tsx';

interface OrderButtonProps {
  sort: string;
  onSort: (sort: 'createdAt' | '-createdAt') => void;
}

/** Switches a list between newest first and oldest first. */
export function OrderButton({ sort, onSort }: OrderButtonProps) {
  const newestFirst = sort === '-createdAt';
  return (
    <Button
      look="quiet"
      icon={newestFirst ? 'newest' : 'oldest'}
      title={newestFirst ? 'Show oldest first' : 'Show newest first'}
      onClick={() => onSort(newestFirst ? 'createdAt' : '-createdAt')}
    >
      {newestFirst ? 'Newest first' : 'Oldest first'}
    </Button>
  );
}
