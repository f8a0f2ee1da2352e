import { CloseButton, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { SearchIcon } from '../../ui/icons';
import { useCharacterKey } from '../../ui/keys/use-character-key';
import { maxSearchText, searchText } from './list-state';

/** Milliseconds after the last key until the list is searched. */
const typingPauseMs = 250;

interface SearchInputProps {
  readonly label: string;
  /** Search text of the list. */
  readonly value: string;
  /** @param replace whether it changes a search that applies already, which needs no further entry in the history */
  onChange(q: string | undefined, replace: boolean): void;
}

/** Searches as the reader types. The key `/` leads here. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const [searched, setSearched] = useState(value);
  // The address has changed by another way, such as Back or a view.
  if (searched !== value) {
    setSearched(value);
    if (value !== (searchText(typed) ?? '')) setTyped(value);
  }
  useCharacterKey('/', () => input.current?.focus());
  const search = (text: string): void => {
    const q = searchText(text);
    if ((q ?? '') !== value) onChange(q, value !== '' && q !== undefined);
  };
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  });
  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed), typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const clear = (): void => {
    setTyped('');
    search('');
    input.current?.focus();
  };
  return (
    <TextInput
      ref={input}
      type="text"
      className="search-text"
      aria-label={label}
      placeholder={label}
      maxLength={maxSearchText}
      leftSection={<SearchIcon size={16} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') search(typed);
        if (key === 'Escape' && typed !== '') clear();
      }}
      rightSection={typed === '' ? null : <CloseButton aria-label="Clear search" onClick={clear} />}
    />
  );
}
