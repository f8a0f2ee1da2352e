/** Makes a number of a text of so many digits at most, and leaves all else, such as `1e2`, which Number() would take. */
export function fromDigits(maxDigits: number): (value: unknown) => unknown {
  const digits = new RegExp(`^[0-9]{1,${maxDigits}}$`);
  return (value) => (typeof value === 'string' && digits.test(value) ? Number(value) : value);
}
