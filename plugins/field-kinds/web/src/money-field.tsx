import { Row, SelectField, TextField, type CellProps, type FieldProps } from '@gantry/ui';
import { useMemo, useState } from 'react';
import { currencyLabel, currencyOptions, moneyText, readMoney, writeMoney } from './money-parts';
import { PartsFrame } from './parts-frame';
import { useParts } from './use-parts';

/** The amount, and its currency from a list. */
export function MoneyField(props: FieldProps) {
  const { id, field, error } = props;
  const { parts, change } = useParts(props, readMoney, writeMoney);
  return (
    <PartsFrame id={id} field={field} error={error}>
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
    </PartsFrame>
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

export function MoneyCell({ value }: CellProps) {
  const text = typeof value === 'string' ? moneyText(readMoney(value)) : '';
  return text === '' ? null : <span>{text}</span>;
}
