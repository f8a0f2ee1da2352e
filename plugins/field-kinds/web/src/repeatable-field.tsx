import {
  Button,
  FieldControl,
  Grid,
  OrderedList,
  Row,
  Stack,
  Text,
  type Field,
  type FieldProps,
  type FieldValue,
  type ValueProblem,
} from '@gantry/ui';
import { useEffect, useState } from 'react';
import { newEntry, readEntries, writeEntries, type Entry } from './entries';
import { useFocusLater } from './focus-later';
import { PartsFrame } from './parts-frame';
import { useParts } from './use-parts';

/** Rows of the members of each entry; rows can be added, removed and moved. */
export function RepeatableField(props: FieldProps) {
  const { id, field } = props;
  const { fields = [], minItems = 0, maxItems = 100 } = field;
  const { parts: entries, change } = useParts<readonly Entry[]>(
    props,
    (value, before) => readEntries(value, fields, before ?? []),
    (next) => writeEntries(next, fields),
  );
  const { byEntry, others } = useProblems(props, entries);
  const focusLater = useFocusLater();
  const isDrawn = useIsDrawn();
  const add = (): void => {
    const entry = newEntry(entries, fields);
    // The first control of all has the id of the field.
    focusLater(entries.length === 0 ? id : `${id}-${entry.key}`);
    change([...entries, entry]);
  };
  const remove = (entry: Entry): void => {
    const left = entries.filter((other) => other !== entry);
    const next = left[Math.min(entries.indexOf(entry), left.length - 1)];
    focusLater(next === undefined ? id : `${id}-remove-${next.key}`);
    change(left);
  };
  const set = (entry: Entry, name: string, value: FieldValue): void =>
    change(
      entries.map((other) => (other === entry ? { ...entry, values: { ...entry.values, [name]: value } } : other)),
    );
  const lead = leadOf(entries, fields, byEntry);
  const count = entries.length;
  return (
    // Another id than that of a member with parts to which problems lead.
    <PartsFrame id={`${id}-entries`} field={field} error={others}>
      <Stack>
        {count === 0 ? null : (
          <OrderedList
            label={field.displayName}
            entries={isDrawn ? entries : entries.slice(0, 1)}
            idOf={({ key }) => String(key)}
            nameOf={(entry) => nameOf(entries, entry)}
            onChange={change}
            renderEntry={(entry) => (
              <EntryControls
                name={nameOf(entries, entry)}
                fields={fields}
                entry={entry}
                // Problems of the whole field lead to its id, which is that of one control.
                idOf={(name, index) => {
                  if (lead?.entry === entry && lead.name === name) return id;
                  return index === 0 ? `${id}-${entry.key}` : `${id}-${entry.key}-${name}`;
                }}
                removeId={`${id}-remove-${entry.key}`}
                problems={byEntry.get(entry.key) ?? []}
                onSet={(name, value) => set(entry, name, value)}
                onRemove={() => remove(entry)}
              />
            )}
          />
        )}
        {isDrawn || count < 2 ? null : <div style={{ minHeight: (count - 1) * 58 }} />}
        <Row>
          <Button
            id={count === 0 ? id : `${id}-add`}
            label={`Add entry to ${field.displayName}`}
            disabled={count >= maxItems}
            onClick={add}
          >
            Add entry
          </Button>
          <Text kind="quiet">{countText(count, minItems, maxItems)}</Text>
        </Row>
      </Stack>
    </PartsFrame>
  );
}

interface EntryControlsProps {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly entry: Entry;
  idOf(name: string, index: number): string;
  readonly removeId: string;
  readonly problems: readonly PlacedProblem[];
  onSet(name: string, value: FieldValue): void;
  onRemove(): void;
}

function EntryControls({ name, fields, entry, idOf, removeId, problems, onSet, onRemove }: EntryControlsProps) {
  const whole = problems.filter((problem) => problem.name === undefined);
  return (
    <div role="group" aria-label={capitalized(name)} style={{ paddingBlock: 8 }}>
      <Stack>
        {whole.map(({ message }) => (
          <Text key={message}>{`${capitalized(name)} ${message}.`}</Text>
        ))}
        <Grid>
          {fields.map((field, index) => (
            <FieldControl
              key={field.name}
              id={idOf(field.name, index)}
              field={field}
              value={entry.values[field.name] ?? ''}
              error={errorOf(field, problems)}
              onChange={(value) => onSet(field.name, value)}
            />
          ))}
        </Grid>
        <Row>
          <Button id={removeId} kind="quiet" label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        </Row>
      </Stack>
    </div>
  );
}

interface PlacedProblem {
  readonly message: string;
  /** Of the member; undefined for the entry as a whole. */
  readonly name: string | undefined;
}

interface FoundProblems {
  readonly given: readonly ValueProblem[] | undefined;
  /** By the key of the entry, with which they move. */
  readonly byEntry: ReadonlyMap<number, readonly PlacedProblem[]>;
  readonly others: string | undefined;
}

/** Problems at their entries, as these were when the problems were found. */
function useProblems({ field, error, problems }: FieldProps, entries: readonly Entry[]): FoundProblems {
  const find = (): FoundProblems => {
    const byEntry = new Map<number, readonly PlacedProblem[]>();
    const others: string[] = [];
    for (const { path, message } of problems ?? []) {
      const [, index, name] = /^\[(\d+)\](?:\.(\w+))?$/.exec(path) ?? [];
      const entry = index === undefined ? undefined : entries[Number(index)];
      const isKnown = name === undefined || field.fields?.some((member) => member.name === name) === true;
      if (entry === undefined || !isKnown) others.push(`${field.displayName}${path} ${message}.`);
      else byEntry.set(entry.key, [...(byEntry.get(entry.key) ?? []), { message, name }]);
    }
    return { given: problems, byEntry, others: others.length === 0 ? undefined : others.join(' ') };
  };
  const [found, setFound] = useState(find);
  let shown = found;
  if (found.given !== problems) {
    shown = find();
    setFound(shown);
  }
  return problems === undefined ? { ...shown, others: error } : shown;
}

/** Becomes true once the form is in sight: a list of many entries has more controls than all of its other fields. */
function useIsDrawn(): boolean {
  const [isDrawn, setIsDrawn] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDrawn(true), afterPaintMs);
    return () => clearTimeout(timer);
  }, []);
  return isDrawn;
}

const afterPaintMs = 50;

/** The control to which problems of the field lead: the first with a problem, otherwise the first of all. */
function leadOf(entries: readonly Entry[], fields: readonly Field[], problems: FoundProblems['byEntry']) {
  for (const entry of entries) {
    const found = problems.get(entry.key)?.find(({ name }) => name !== undefined);
    if (found !== undefined) return { entry, name: found.name };
  }
  const [entry] = entries;
  return entry === undefined ? undefined : { entry, name: fields[0]?.name };
}

function errorOf({ name, displayName }: Field, problems: readonly PlacedProblem[]): string | undefined {
  const own = problems.filter((problem) => problem.name === name);
  return own.length === 0 ? undefined : own.map(({ message }) => `${displayName} ${message}.`).join(' ');
}

function nameOf(entries: readonly Entry[], entry: Entry): string {
  return `entry ${entries.indexOf(entry) + 1}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

function countText(count: number, minItems: number, maxItems: number): string {
  const range = minItems === 0 ? `at most ${maxItems}` : `from ${minItems} to ${maxItems}`;
  return `${count === 1 ? '1 entry' : `${count} entries`}, ${range}`;
}
