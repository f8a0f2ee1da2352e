import type { CellProps } from '@gantry/ui';

const sample = {
  display: 'inline-block',
  width: '0.9em',
  height: '0.9em',
  marginInlineEnd: '0.4em',
  border: '1px solid currentColor',
  verticalAlign: 'middle',
} as const;

/** The colour beside its code. */
export function ColorCell({ value }: CellProps) {
  if (typeof value !== 'string' || value === '') return null;
  return (
    <span>
      <span aria-hidden style={{ ...sample, backgroundColor: value }} />
      {value}
    </span>
  );
}
