import { Button, Group, Pill, VisuallyHidden } from '@mantine/core';
import { useRef, type ComponentType, type KeyboardEvent } from 'react';
import type { FilterProps } from '../../kinds/field-view';
import { viewOfField } from '../../kinds/views';
import { textsOf } from './criteria-text';
import { listText, withEntered } from '../rows/listed-values';
import { useEntered } from './use-entered';

interface ValueListProps extends FilterProps {
  /** The control of one value. */
  readonly Filter: ComponentType<FilterProps>;
}

interface EnteredValues {
  readonly values: readonly string[];
  /** In the control. */
  readonly next: string;
}

/** Several values, entered one after the other: Enter or the button ends each. */
export function ValueList({ field, label, value, onChange, Filter }: ValueListProps) {
  const control = useRef<HTMLDivElement>(null);
  const [{ values, next }, enter] = useEntered<EnteredValues>(
    value,
    (text) => ({ values: textsOf(text) ?? [], next: '' }),
    onChange,
  );
  const change = (entered: EnteredValues): void => enter(entered, listText(withEntered(entered.values, entered.next)));
  const focusControl = (): void => control.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  const add = (): void => {
    change({ values: withEntered(values, next), next: '' });
    // The button waits for a value again.
    focusControl();
  };
  const addByKey = (event: KeyboardEvent): void => {
    // A list of choices that is open takes the key, as buttons do.
    if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.target instanceof HTMLButtonElement || next.trim() === '') return;
    event.preventDefault();
    add();
  };
  const remove = (removed: string): void => {
    change({ values: values.filter((one) => one !== removed), next });
    // The button goes with the value.
    focusControl();
  };
  return (
    <div className="search-value">
      <Values field={field} label={label} values={values} onRemove={remove} />
      <Group gap="xxs">
        <div ref={control} className="search-value" role="presentation" onKeyDown={addByKey}>
          <Filter field={field} label={label} value={next} onChange={(text) => change({ values, next: text })} />
        </div>
        <Button variant="default" disabled={next.trim() === ''} onClick={add}>
          Add value
        </Button>
      </Group>
    </div>
  );
}

function Values({
  field,
  label,
  values,
  onRemove,
}: Pick<ValueListProps, 'field' | 'label'> & {
  readonly values: readonly string[];
  onRemove(value: string): void;
}) {
  const { FilterText } = viewOfField(field);
  return (
    <>
      <VisuallyHidden role="status">{countText(values.length)}</VisuallyHidden>
      {values.length === 0 ? null : (
        <Group gap="xxs" mb="xxs" role="group" aria-label={`${label}, one of`}>
          {values.map((value, index) => (
            <Pill
              key={value}
              size="lg"
              fz="sm"
              withRemoveButton
              onRemove={() => onRemove(value)}
              removeButtonProps={{ 'aria-label': `Remove value ${index + 1}`, 'aria-hidden': false, tabIndex: 0 }}
            >
              <bdi>
                <FilterText field={field} value={value} />
              </bdi>
            </Pill>
          ))}
        </Group>
      )}
    </>
  );
}

function countText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 value' : `${count} values`;
}
