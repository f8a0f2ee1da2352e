/** Gives the focus to the first field of a page that has nothing but its form, as soon as the field is there. */
export function focusFirst(field: HTMLInputElement | null): void {
  field?.focus();
}
