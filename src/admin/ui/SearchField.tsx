import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { longestSearch } from '../../domain/paging.ts';
import { Icon } from './Icon.tsx';

/** The pause in typing after which the search starts, in milliseconds. */
const pauseMs = 250;

interface SearchFieldProps {
  /** The accessible name of the search field. */
  label: string;
  /** The current search text of the list. */
  q: string;
  onSearch: (q: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
}

/** A search field that starts the search after a pause in typing. */
export function SearchField({ label, q, onSearch, inputRef }: SearchFieldProps) {
  const [text, setText] = useState(q);
  const [known, setKnown] = useState(q);
  // The browser's Back button or another control changed the search text.
  if (q !== known) {
    setKnown(q);
    if (q !== text.trim()) setText(q);
  }

  const search = useEffectEvent(onSearch);
  useEffect(() => {
    if (text.trim() === q) return undefined;
    const timer = setTimeout(() => search(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text, q]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') onSearch(text.trim());
    else if (event.key === 'Escape') {
      event.stopPropagation();
      if (text === '') inputRef.current?.blur();
      else {
        setText('');
        onSearch('');
      }
    }
  };

  return (
    <div className="search-field field" role="search">
      <Icon name="search" />
      <input
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder="Search"
        autoComplete="off"
        maxLength={longestSearch}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
