import { CheckIcon, ConditionIcon } from '../../ui/icons';

/** Given for all items, for those that meet conditions, with a wider right, or not at all. */
export type Right = 'all' | 'some' | 'wider' | 'none';

interface RightBoxProps {
  readonly name: string;
  readonly right: Right;
  /** Of all types of a plugin or of a kind: each of them may have the right without it. */
  readonly isOfSeveral: boolean;
  readonly isReadOnly: boolean;
  onChange(isGiven: boolean): void;
}

/** A right, which can be given and taken where no wider one contains it. */
export function RightBox({ name, right, isOfSeveral, isReadOnly, onChange }: RightBoxProps) {
  return (
    <span className="right" data-right={right} data-several={isOfSeveral || undefined}>
      <input
        type="checkbox"
        aria-label={name}
        checked={right !== 'none'}
        disabled={isReadOnly || right === 'wider'}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <RightMark right={right} />
    </span>
  );
}

function RightMark({ right }: { readonly right: Right }) {
  return right === 'some' ? <ConditionIcon size={16} /> : right === 'none' ? null : <CheckIcon size={16} />;
}

const meanings = [
  { right: 'all', text: 'Allowed' },
  { right: 'some', text: 'Allowed if conditions are met' },
  { right: 'wider', text: 'Allowed by a row above' },
  { right: 'none', text: 'Not allowed' },
] as const;

/** Meaning of the marks. */
export function RightsLegend({ isReadOnly }: Pick<RightBoxProps, 'isReadOnly'>) {
  return (
    <div className="rights-legend">
      {meanings.map(({ right, text }) => (
        <span key={right}>
          <span className="right" data-right={right} data-locked={isReadOnly || undefined}>
            <RightMark right={right} />
          </span>
          {text}
        </span>
      ))}
    </div>
  );
}
