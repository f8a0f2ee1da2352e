import { Button, SelectField, TextField, type CellProps, type FieldProps } from '@gantry/ui';
import { useMemo, useState, type FocusEvent } from 'react';
import { currencyLabel, currencyOptions, missingPart, moneyText, noMoney, readMoney, writeMoney } from './money-parts';
import { PartsFrame, partsRow } from './parts-frame';
import { useParts } from './use-parts';

/** The amount, and its currency from a list. */
export function MoneyField(props: FieldProps) {
  const { id, field } = props;
  const { parts, change } = useParts(props, readMoney, writeMoney);
  const missing = missingPart(parts, field.required);
  const { error, leave } = useMissing(props, missing);
  const isEmpty = parts.amount === '' && parts.currency === '';
  return (
    <PartsFrame id={id} field={field} error={commaHint(parts.amount) ?? error}>
      <div style={partsRow} onBlur={leave}>
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
        {isEmpty || field.required ? null : (
          <Button
            kind="quiet"
            label={`Clear ${field.displayName}`}
            onClick={() => {
              // The button goes with the value.
              document.getElementById(id)?.focus();
              change(noMoney);
            }}
          >
            Clear
          </Button>
        )}
      </div>
    </PartsFrame>
  );
}

/** A comma is the decimal separator for some and separates thousands for others: neither is guessed. */
function commaHint(amount: string): string | undefined {
  return amount.includes(',') ? 'Use a point as decimal separator and no thousands separator: 1234.5' : undefined;
}

/**
 * The message of the field where one part is there without the other: once the reader has left the field, or the platform has refused it. What
 * the platform said then goes as soon as the other part is there.
 */
function useMissing({ error, problems }: FieldProps, missing: string | undefined) {
  const [left, setLeft] = useState(false);
  const [refused, setRefused] = useState({ problems, wasMissing: missing !== undefined });
  if (refused.problems !== problems) setRefused({ problems, wasMissing: missing !== undefined });
  if (left && missing === undefined) setLeft(false);
  const said = problems !== undefined && refused.wasMissing ? undefined : error;
  return {
    error: missing !== undefined && (left || error !== undefined) ? missing : said,
    leave: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
      if (missing !== undefined && !currentTarget.contains(relatedTarget)) setLeft(true);
    },
  };
}

/** Its choices are drawn when it gets the focus: there are more than a hundred, and a form may have many amounts. */
function CurrencyField({ value, onChange }: { readonly value: string; onChange(value: string): void }) {
  const [isOpen, setIsOpen] = useState(false);
  const options = useMemo(() => {
    if (isOpen) return [{ value: '', label: 'Choose …' }, ...currencyOptions(value)];
    return [{ value, label: value === '' ? 'Choose …' : currencyLabel(value) }];
  }, [isOpen, value]);
  return (
    <div style={{ flex: '0 1 190px' }} onFocus={() => setIsOpen(true)} onPointerEnter={() => setIsOpen(true)}>
      <SelectField label="Currency" value={value} options={options} onChange={onChange} />
    </div>
  );
}

export function MoneyCell({ value }: CellProps) {
  const text = typeof value === 'string' ? moneyText(readMoney(value)) : '';
  return text === '' ? null : (
    <span style={{ display: 'block', textAlign: 'end', fontVariantNumeric: 'tabular-nums' }}>{text}</span>
  );
}
