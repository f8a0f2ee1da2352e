import type { FieldHints } from '@gantry/contracts';

/** An option as its field says that people read it. */
export function optionText({ optionLabels }: Pick<FieldHints, 'optionLabels'>, option: string): string {
  return optionLabels?.[option] ?? choiceText(option);
}

/** An option as a person reads it: `NOT_PAID` is `Not paid`. Options in other than capitals only begin with one. */
export function choiceText(option: string): string {
  const words = option.replaceAll('_', ' ').trim();
  const isShouted = words.length > 1 && words === words.toLocaleUpperCase() && words !== words.toLocaleLowerCase();
  const text = isShouted ? words.toLocaleLowerCase() : words;
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
