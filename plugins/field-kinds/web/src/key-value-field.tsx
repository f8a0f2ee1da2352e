import { Button, Row, Stack, Text, TextField, type FieldProps } from '@gantry/ui';
import { useState } from 'react';
import { useFocusLater } from './focus-later';
import { nextRow, readKeyValues, writeKeyValues, type KeyAndText } from './key-values';
import { PartsFrame, partsRow } from './parts-frame';
import { useParts } from './use-parts';

/** More at once would make a form slow. */
const maxShown = 100;

/** Rows of a key and its text; rows can be added and removed. */
export function KeyValueField(props: FieldProps) {
  const { id, field, error } = props;
  const { parts: rows, change } = useParts(props, readKeyValues, writeKeyValues);
  const focusLater = useFocusLater();
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, maxShown);
  const add = (): void => {
    const row = nextRow(rows);
    focusLater(rows.length === 0 ? id : `${id}-${row}`);
    setIsWhole(true);
    change([...rows, { row, key: '', text: '' }]);
  };
  const remove = (removed: KeyAndText): void => {
    const left = rows.filter((one) => one !== removed);
    const next = left[Math.min(rows.indexOf(removed), left.length - 1)];
    focusLater(next === undefined ? id : `${id}-remove-${next.row}`);
    change(left);
  };
  const set = (changed: KeyAndText, part: Partial<KeyAndText>): void =>
    change(rows.map((one) => (one === changed ? { ...one, ...part } : one)));
  return (
    <PartsFrame id={id} field={field} error={error}>
      <Stack>
        {shown.map((one, index) => (
          <div key={one.row} role="group" aria-label={`Row ${index + 1}`}>
            <div style={partsRow}>
              <div style={{ flex: '1 1 140px' }}>
                <TextField
                  id={index === 0 ? id : `${id}-${one.row}`}
                  label="Key"
                  value={one.key}
                  error={isRepeated(rows, one) ? 'This key is used more than once.' : undefined}
                  onChange={(key) => set(one, { key })}
                />
              </div>
              <div style={{ flex: '2 1 200px' }}>
                <TextField label="Text" value={one.text} onChange={(text) => set(one, { text })} />
              </div>
              <Button
                id={`${id}-remove-${one.row}`}
                kind="quiet"
                label={`Remove row ${index + 1}`}
                onClick={() => remove(one)}
              >
                Remove
              </Button>
            </div>
          </div>
        ))}
        <Row>
          <Button id={rows.length === 0 ? id : `${id}-add`} label={`Add row to ${field.displayName}`} onClick={add}>
            Add row
          </Button>
          {shown.length === rows.length ? null : (
            <Button kind="quiet" onClick={() => setIsWhole(true)}>{`Show all ${rows.length}`}</Button>
          )}
          {rows.length === 0 ? <Text kind="quiet">No keys yet</Text> : null}
        </Row>
      </Stack>
    </PartsFrame>
  );
}

function isRepeated(rows: readonly KeyAndText[], { row, key }: KeyAndText): boolean {
  return key !== '' && rows.some((other) => other.row !== row && other.key === key);
}
