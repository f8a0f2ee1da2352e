import { FieldFrame, Row, SelectField, TextField, type CellProps, type FieldProps } from '@gantry/ui';
import { useMemo, useState } from 'react';
import { currencyLabel, currencyOptions, moneyText, readMoney, writeMoney, type MoneyParts } from './money-parts';

/** The amount, and its currency from a list. */
export function MoneyField(props: FieldProps) {
  const { id, field, error } = props;
  const { parts, change } = useParts(props);
  return (
    <FieldFrame
      id={`${id}-money`}
      group
      label={field.displayName}
      description={field.help}
      error={error}
      required={field.required}
    >
      {() => (
        <Row>
          <div style={{ flex: '1 1 110px', maxWidth: 220 }}>
            <TextField
              id={id}
              kind="number"
              label="Amount"
              placeholder={field.placeholder}
              value={parts.amount}
              onChange={(amount) => change({ ...parts, amount })}
            />
          </div>
          <CurrencyField value={parts.currency} onChange={(currency) => change({ ...parts, currency })} />
        </Row>
      )}
    </FieldFrame>
  );
}

/** Its choices are drawn when it gets the focus: there are more than a hundred, and a form may have many amounts. */
function CurrencyField({ value, onChange }: { readonly value: string; onChange(value: string): void }) {
  const [isOpen, setIsOpen] = useState(false);
  const options = useMemo(() => {
    if (isOpen) return [{ value: '', label: 'Choose …' }, ...currencyOptions(value)];
    return [{ value, label: value === '' ? 'Choose …' : currencyLabel(value) }];
  }, [isOpen, value]);
  return (
    <div style={{ width: 120 }} onFocus={() => setIsOpen(true)} onPointerEnter={() => setIsOpen(true)}>
      <SelectField label="Currency" value={value} options={options} onChange={onChange} />
    </div>
  );
}

/** The parts of the value. What is typed, such as a last zero, stays while the form has the same value. */
function useParts({ value, onChange }: FieldProps) {
  const [state, setState] = useState(() => ({ value, parts: readMoney(value) }));
  let { parts } = state;
  if (state.value !== value) {
    parts = readMoney(value);
    setState({ value, parts });
  }
  const change = (next: MoneyParts): void => {
    const text = writeMoney(next);
    setState({ value: text, parts: next });
    onChange(text);
  };
  return { parts, change };
}

export function MoneyCell({ value }: CellProps) {
  const text = typeof value === 'string' ? moneyText(readMoney(value)) : '';
  return text === '' ? null : <span>{text}</span>;
}
