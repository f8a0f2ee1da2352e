import { Box, Button, NativeSelect } from '@mantine/core';
import type { Criterion, FormField, ItemMetadata, SearchField } from '@gantry/contracts';
import { useId, useRef, useState, type ReactNode } from 'react';
import type { CriterionEntry, ListFilter } from '../../api/items';
import { isLabelField } from '../../api/label';
import { FilterIcon } from '../../ui/icons';
import { lazyPart } from '../../ui/lazy-part';
import { optionText } from '../choice-text';
import { kindOf } from '../kinds/registry';
import type { FilterChipsProps } from './filter/filter-chips';
import { isCriterion, searchInputs } from './filter/criteria-text';
import type { FilterFormProps } from './filter/filter-form';
import type { ListControl } from './list-state';
import { nameInSentence } from '../name-in-sentence';
import { SearchInput } from './search-input';

export interface SearchBarProps {
  readonly metadata: ItemMetadata;
  readonly filter: ListFilter;
  readonly onChange: ListControl['change'];
  /** At the end of the bar. */
  readonly children: ReactNode;
}

/**
 * One input over the label fields, the choices of the type, and a button for criteria on any searchable field. Each criterion that
 * applies is a chip, unless a choice in the bar shows it.
 */
export function SearchBar({ metadata, filter, onChange, children }: SearchBarProps) {
  const { criteria } = filter;
  const inputs = searchInputs(metadata);
  const choices = inputs.filter(({ options }) => options !== undefined).slice(0, maxChoices);
  const shownAsChoice = choices.flatMap((field) => choiceOf(field, criteria) ?? []);
  const chips = criteria.filter((entry) => !isCriterion(entry) || !shownAsChoice.includes(entry));
  const [isOpen, setIsOpen] = useState(false);
  const formId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const change = (next: readonly CriterionEntry[]): void => onChange({ criteria: next });
  return (
    <div role="search" aria-label={`Search ${metadata.displayNamePlural}`} className="search-bar">
      <div className="toolbar">
        <div className="toolbar-filters">
          <SearchInput
            key={metadata.code}
            label={`Search ${labelFieldsText(metadata)}`}
            value={filter.q ?? ''}
            onChange={(q, replace) => onChange({ q }, { replace })}
          />
          {choices.map((field) => (
            <ChoiceSelect
              key={field.name}
              field={field}
              value={choiceOf(field, criteria)?.value ?? ''}
              onChange={(value) => change(withChoice(criteria, field, value))}
            />
          ))}
          <Button
            ref={button}
            variant="default"
            leftSection={<FilterIcon size={16} />}
            aria-expanded={isOpen}
            aria-controls={isOpen ? formId : undefined}
            onClick={() => setIsOpen(!isOpen)}
          >
            Filter
          </Button>
        </div>
        <div className="toolbar-end">{children}</div>
      </div>
      {chips.length === 0 ? null : (
        // Below the bar, in sight at any width; as high as it will be with its chips.
        <Box mt="xs" mih="var(--control-height)">
          <FilterChips
            inputs={inputs}
            criteria={chips}
            onChange={(next) => {
              change([...shownAsChoice, ...next]);
              // A chip goes with its filter.
              button.current?.focus();
            }}
          />
        </Box>
      )}
      {isOpen ? <FilterForm id={formId} inputs={inputs} criteria={criteria} hasRelated onChange={change} /> : null}
    </div>
  );
}

const FilterForm = lazyPart<FilterFormProps>(
  async () => (await import('./filter/filter-form')).FilterForm,
  () => true,
);

const FilterChips = lazyPart<FilterChipsProps>(
  async () => (await import('./filter/filter-chips')).FilterChips,
  ({ criteria }) => criteria.length > 0,
);

/** Choices that are always in sight; the others are filters like any other. */
const maxChoices = 2;

/** `name and code`; what a reader can expect of the input, in the order of the columns. */
function labelFieldsText(metadata: ItemMetadata): string {
  const { displayNamePlural, columnShown, heading, labelField } = metadata;
  const order = [heading, labelField, ...columnShown.map(({ name }) => name)];
  const placeOf = ({ name }: FormField): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const names = metadata.fields
    .filter(({ name, type }) => isLabelField(name) && kindOf(type).hasWords)
    .toSorted((left, right) => placeOf(left) - placeOf(right))
    .map(({ displayName }) => displayName.toLocaleLowerCase());
  if (names.length === 0) return `${nameInSentence(displayNamePlural)} by id`;
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names.slice(0, 3));
}

interface ChoiceSelectProps {
  readonly field: SearchField;
  readonly value: string;
  onChange(value: string): void;
}

function ChoiceSelect({ field, value, onChange }: ChoiceSelectProps) {
  const name = field.displayName;
  return (
    <NativeSelect
      aria-label={name}
      className="search-choice"
      data-chosen={value === '' ? undefined : true}
      data={[
        { value: '', label: `${name}: any` },
        ...(field.options ?? []).map((one) => ({ value: one, label: `${name}: ${optionText(field, one)}` })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The criterion that a choice shows: the only one on its field, which is one of the options. */
function choiceOf({ name, options = [] }: SearchField, criteria: readonly CriterionEntry[]): Criterion | undefined {
  const own = criteria.filter(isCriterion).filter(({ field }) => field === name);
  return own.find(({ operator, value }) => own.length === 1 && operator === 'EQUALS' && options.includes(value));
}

function withChoice(
  criteria: readonly CriterionEntry[],
  { name }: SearchField,
  value: string,
): readonly CriterionEntry[] {
  const others = criteria.filter((entry) => !isCriterion(entry) || entry.field !== name);
  return value === '' ? others : [...others, { field: name, operator: 'EQUALS', value }];
}
