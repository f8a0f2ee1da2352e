import '../../../ui/page/link-tabs.css';
import { Alert, Title, VisuallyHidden } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import { useId, useRef, type KeyboardEvent } from 'react';
import { WarningIcon } from '../../../ui/icons';
import { isOutOfSight, Sections, type FieldsProps } from './form-fields';
import type { FormTab } from './form-sections';

export interface FormTabsProps extends Omit<FieldsProps, 'fields'> {
  readonly tabs: readonly FormTab[];
  /** The name of the tab that is open. */
  readonly open: string | undefined;
  onOpen(name: string): void;
}

/** The fields that declare a tab. While a field is looked for, the fields of all tabs that match are shown. */
export function FormTabs({ tabs, open, onOpen, ...props }: FormTabsProps) {
  const { form, search } = props;
  const id = useId();
  const isSearched = search !== '';
  const shown = tabs.filter(({ fields }) => fields.some((field) => !isOutOfSight(field, '', form)));
  return (
    <>
      {isSearched ? null : <TabList id={id} tabs={shown} open={open} form={form} onOpen={onOpen} />}
      {tabs.map(({ name, fields }, index) => {
        const isHidden = isSearched ? fields.every((field) => isOutOfSight(field, search, form)) : name !== open;
        return (
          <div
            key={name}
            id={`${id}-panel-${index}`}
            role={isSearched ? 'group' : 'tabpanel'}
            aria-label={name}
            className="form-panel"
            hidden={isHidden}
          >
            {isSearched ? (
              <Title order={2} className="form-section-heading">
                {name}
              </Title>
            ) : null}
            <Sections {...props} fields={fields} />
          </div>
        );
      })}
    </>
  );
}

interface TabListProps extends Pick<FormTabsProps, 'tabs' | 'open' | 'onOpen' | 'form'> {
  readonly id: string;
}

/** One stop of Tab; arrow keys, Home and End open the others. */
function TabList({ id, tabs, open, form, onOpen }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const names = tabs.map(({ name }) => name);
    const next = nextTab(event.key, names, names.indexOf(open ?? ''));
    if (next === undefined) return;
    event.preventDefault();
    onOpen(names[next] ?? '');
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label="Parts of the form" className="link-tabs form-tabs">
      {tabs.map(({ name, fields }) => (
        <button
          key={name}
          type="button"
          role="tab"
          className="link-tab"
          aria-selected={name === open}
          aria-controls={name === open ? panelId(id, tabs, name) : undefined}
          tabIndex={name === open ? 0 : -1}
          onClick={() => onOpen(name)}
          onKeyDown={move}
        >
          <bdi className="clipped">{name}</bdi>
          <ProblemCount count={fields.filter((field) => form.problems.fields[field.name] !== undefined).length} />
        </button>
      ))}
    </div>
  );
}

function panelId(id: string, tabs: readonly FormTab[], name: string): string {
  return `${id}-panel-${tabs.find((tab) => tab.name === name)?.index ?? 0}`;
}

function nextTab(key: string, { length }: readonly string[], current: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (current + 1) % length;
    case 'ArrowLeft':
      return (current + length - 1) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}

function ProblemCount({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className="link-tab-count" data-urgent>
      {count}
      <VisuallyHidden component="span">{count === 1 ? ' problem' : ' problems'}</VisuallyHidden>
    </span>
  );
}

export interface ProblemSummaryProps {
  readonly fields: readonly FormField[];
  /** By the name of their fields. */
  readonly problems: Readonly<Record<string, string>>;
  onShow(field: FormField): void;
}

/** The problems of a form with tabs, of which not all are in sight; each leads to its field. */
export function ProblemSummary({ fields, problems, onShow }: ProblemSummaryProps) {
  const wrong = fields.filter(({ name }) => problems[name] !== undefined);
  if (wrong.length === 0 || fields.every(({ tab }) => tab === undefined)) return null;
  const title =
    wrong.length === 1 ? 'Not saved: 1 field has a problem' : `Not saved: ${wrong.length} fields have problems`;
  return (
    <Alert color="red" icon={<WarningIcon />} title={title} role="alert" mb="md" className="problem-summary">
      <ul>
        {wrong.map((field) => (
          <li key={field.name}>
            <button type="button" onClick={() => onShow(field)}>
              {field.tab === undefined ? field.displayName : `${field.displayName} (${field.tab})`}
            </button>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
