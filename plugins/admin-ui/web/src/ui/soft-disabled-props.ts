/** Of a button that has nothing to do for now. It keeps the focus, unlike one that is disabled; its click has to be ignored. */
export function softDisabledProps(now: boolean) {
  return { 'aria-disabled': now, 'data-disabled': now || undefined };
}
