import { Button, Group } from '@mantine/core';
import { shortText } from '../../../api/label';
import { ExactTime, parseTime } from '../../../ui/time/exact-time';
import type { CellProps, ControlProps, FieldView, FilterProps, FilterTextProps, LockedProps } from '../field-view';
import { LockedText, PlainFilterText } from '../plain-views';
import { TypedControl, TypedFilter, type TypedForm } from '../typed-value';
import { instantsAt, localText, offsetText, readLocal, zoneName } from './local-time';

export const fieldView: FieldView = {
  Control: DateTimeControl,
  Locked: LockedDateTime,
  Cell: DateTimeCell,
  Filter: DateTimeFilter,
  FilterText: DateTimeFilterText,
};

const form: TypedForm = {
  placeholder: 'YYYY-MM-DD HH:MM',
  // The parts of a second stay stored until another time is typed.
  typed: (value) => localText(value)?.replace(/\.\d+$/, '') ?? value,
  stored: (text) => readLocal(text) ?? text.trim(),
  explain,
  picker: {
    type: 'datetime-local',
    // Without the parts of a second, for which the browser would add a wheel.
    fromTyped: (text) => (readLocal(text) === undefined ? '' : text.trim().replace(' ', 'T').slice(0, 16)),
    toTyped: (value) => value.replace('T', ' '),
  },
};

/** The zone is always named; a time that clocks skip or show twice is explained. */
function explain(value: string, text: string): string {
  const instant = parseTime(value);
  if (instant !== undefined && localText(value) !== undefined) {
    const utc = instant
      .toISOString()
      .replace('T', ' ')
      .replace(/(:00)?\.\d+Z$/, '');
    return `${zoneName()}, ${offsetText(instant)}: ${utc} UTC`;
  }
  const skipped = instantsAt(text)?.length === 0;
  return skipped
    ? `${text.trim()} does not exist in ${zoneName()}: clocks go forward. Choose another time.`
    : `Time zone: ${zoneName()}`;
}

function DateTimeControl(props: ControlProps) {
  const value = typeof props.value === 'string' ? props.value : '';
  const both = instantsAt(localText(value) ?? '') ?? [];
  return (
    <div>
      <TypedControl {...props} form={form} />
      {both.length > 1 ? (
        <Group gap="xs" mt="xxs" role="group" aria-label={`${props.field.displayName}: clocks show this time twice`}>
          {both.map((instant) => {
            const isChosen = parseTime(value)?.getTime() === instant.getTime();
            return (
              <Button
                key={instant.getTime()}
                size="compact-sm"
                variant={isChosen ? 'filled' : 'default'}
                aria-pressed={isChosen}
                onClick={() => props.onChange(instant.toISOString())}
              >
                {offsetText(instant)}
              </Button>
            );
          })}
        </Group>
      ) : null}
    </div>
  );
}

const shown = new Intl.DateTimeFormat(undefined, {
  ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  timeZoneName: 'short',
});

const ofThisYear = new Intl.DateTimeFormat(undefined, {
  ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
});
const ofAnotherYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** As short as a column of a table can be: the year or the time of day. */
function shortMoment(time: Date): string {
  const isThisYear = time.getFullYear() === new Date().getFullYear();
  return (isThisYear ? ofThisYear : ofAnotherYear).format(time);
}

/** In the reader's zone, which is named. */
function shownText(value: unknown): string {
  const time = parseTime(value);
  return time === undefined ? shortText(value) : shown.format(time);
}

function LockedDateTime({ value }: LockedProps) {
  return <LockedText text={shownText(value)} />;
}

function DateTimeCell({ column, item }: CellProps) {
  const value = item.values[column.name];
  const time = parseTime(value);
  if (time === undefined) return shortText(value);
  return (
    <ExactTime time={time} long={shown.format(time)}>
      {shortMoment(time)}
    </ExactTime>
  );
}

function DateTimeFilter(props: FilterProps) {
  return <TypedFilter {...props} form={{ ...form, placeholder: 'YYYY-MM-DD HH:MM or -7d' }} />;
}

function DateTimeFilterText({ value }: FilterTextProps) {
  return <PlainFilterText value={shownText(value)} />;
}
