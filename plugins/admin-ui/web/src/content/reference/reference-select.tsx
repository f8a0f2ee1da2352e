import { nameInSentence } from '../name-in-sentence';
import { CloseButton, Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { messageOf } from '../../api/api-error';
import type { Item, Reference } from '../../api/items';
import { typesQuery } from '../../api/queries';
import { EditIcon } from '../../ui/icons';
import { LinkIcon } from '../../ui/page/link-button';
import { itemLabel, itemSubLabel } from '../../api/label';
import { may } from '../../common/may';
import { useDrawerLevel, useDrawers } from './drawers';
import { useReferenceSearch, type ReferenceSearch } from './use-reference-search';

export interface ReferenceSelectProps {
  /** Visible label; `aria-label` only when `labelled` says that one is there already. */
  readonly label: string;
  readonly target: string;
  readonly id?: string;
  /** Text of the closed input. */
  readonly chosenText?: string | undefined;
  /** The chosen item, where it can be opened. */
  readonly chosen?: Reference | undefined;
  /** The field of the form, whose reference may be a new item; without one, only what exists can be chosen. */
  readonly field?: string | undefined;
  /** Ids that are chosen already and not offered. */
  readonly without?: readonly string[];
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly error?: ReactNode;
  readonly description?: ReactNode;
  readonly visibleLabel?: boolean;
  onChoose(reference: Reference): void;
  readonly onClear?: (() => void) | undefined;
}

const more = ' more';
const create = ' new';

/** Finds one item of a type as the reader types. */
export function ReferenceSelect(props: ReferenceSelectProps) {
  const { label, target, chosenText, without = [], onChoose, onClear, visibleLabel = false } = props;
  const [term, setTerm] = useState('');
  const search = useReferenceSearch(target);
  const creation = useCreation(target, props.field);
  const combobox = useCombobox({
    onDropdownOpen: () => search.open(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTerm('');
      search.type('');
    },
  });
  const items = search.items.filter(({ id }) => !without.includes(id));
  const submit = (value: string): void => {
    if (value === more) {
      search.loadMore();
      return;
    }
    if (value === create) {
      combobox.closeDropdown();
      creation?.begin(term.trim());
      return;
    }
    const chosen = items.find(({ id }) => id === value);
    if (chosen === undefined) return;
    onChoose({ id: chosen.id, label: itemLabel(chosen) });
    combobox.closeDropdown();
  };
  const opened = combobox.dropdownOpened;
  const clear = (): void => {
    onClear?.();
    // The button goes with the choice.
    combobox.focusTarget();
  };
  // Enter is for the choices while they are open: it never sends the form, and takes the only one that was found.
  const choose = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !opened || combobox.getSelectedOptionIndex() !== -1) return;
    event.preventDefault();
    const [only, ...others] = items;
    if (only !== undefined && others.length === 0 && term.trim() !== '' && !search.busy) submit(only.id);
  };
  const picker = (
    <Combobox store={combobox} onOptionSubmit={submit} withinPortal={false}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          id={props.id}
          data-search-value={visibleLabel ? undefined : true}
          label={visibleLabel ? label : undefined}
          aria-label={visibleLabel ? undefined : label}
          description={props.description}
          error={props.error}
          withAsterisk={props.required ?? false}
          aria-required={props.required}
          role="combobox"
          autoComplete="off"
          placeholder={chosenText ?? props.placeholder ?? 'Search …'}
          value={opened ? term : (chosenText ?? '')}
          onChange={(event) => {
            combobox.openDropdown();
            combobox.resetSelectedOption();
            setTerm(event.currentTarget.value);
            search.type(event.currentTarget.value);
          }}
          onKeyDown={choose}
          onFocus={(event) => event.currentTarget.select()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          rightSection={clearButton(search.busy && opened, chosenText, onClear && clear)}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        {/* Its scrolling would take the focus that Tab gives on, and be gone with it. */}
        <Combobox.Options mah={280} className="options" aria-label={label} tabIndex={-1}>
          {items.map((item) => (
            <Choice key={item.id} item={item} />
          ))}
          {search.hasMore ? (
            <Combobox.Option value={more}>
              <Text size="sm" fw={600}>
                {search.busy ? 'Loading …' : 'Load more'}
              </Text>
            </Combobox.Option>
          ) : null}
          {items.length === 0 ? <Combobox.Empty>{emptyText(search)}</Combobox.Empty> : null}
          {creation === undefined ? null : (
            <Combobox.Option value={create} className="create-option">
              <Text size="sm" fw={600} truncate>
                New {nameInSentence(creation.displayName)}
                {term.trim() === '' ? ' …' : ` “${term.trim().slice(0, 80)}” …`}
              </Text>
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
  return <WithOpenLink {...props}>{picker}</WithOpenLink>;
}

/** The picker with a link that opens what is chosen. */
function WithOpenLink({
  target,
  field,
  chosen,
  children,
}: Pick<ReferenceSelectProps, 'target' | 'field' | 'chosen'> & { readonly children: ReactNode }) {
  const level = useDrawerLevel();
  const { hrefOf, memoryOf } = useDrawers();
  if (field === undefined || chosen === undefined) return children;
  const isDrawer = level !== undefined;
  return (
    <div className="reference-row">
      <div>{children}</div>
      <LinkIcon
        label={`Open ${chosen.label.slice(0, 80)}`}
        variant="default"
        size={36}
        to={isDrawer ? hrefOf(level, { type: target, id: chosen.id, field }) : `/content/${target}/${chosen.id}`}
        state={isDrawer ? memoryOf(level) : undefined}
      >
        <EditIcon size={16} />
      </LinkIcon>
    </div>
  );
}

/** Creating an item to refer to, where there is a form, room for a drawer, and a type that is written here. */
function useCreation(target: string, field: string | undefined) {
  const level = useDrawerLevel();
  const navigate = useNavigate();
  const { hrefOf, memoryOf } = useDrawers();
  const { data: types = [] } = useQuery(typesQuery);
  const type = types.find((candidate) => candidate.type === target);
  if (field === undefined || level === undefined || type === undefined || !may(type, 'create')) return undefined;
  return {
    displayName: type.displayName,
    begin: (typed: string) =>
      void navigate(hrefOf(level, { type: target, id: undefined, field }), {
        state: memoryOf(level, typed === '' ? undefined : typed),
      }),
  };
}

function Choice({ item }: { readonly item: Item }) {
  const subLabel = itemSubLabel(item);
  return (
    <Combobox.Option value={item.id}>
      <Text size="sm" truncate dir="auto">
        {itemLabel(item).slice(0, 200)}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        #{item.id} {subLabel === undefined ? '' : `· ${subLabel.slice(0, 200)}`}
      </Text>
    </Combobox.Option>
  );
}

function clearButton(busy: boolean, chosenText: string | undefined, onClear: (() => void) | undefined): ReactNode {
  if (busy) return <Loader size={16} />;
  return chosenText === undefined || onClear === undefined ? null : (
    <CloseButton aria-label="Clear choice" onClick={onClear} />
  );
}

function emptyText({ busy, error }: ReferenceSearch): string {
  if (error !== null) return messageOf(error);
  return busy ? 'Searching …' : 'No results';
}
