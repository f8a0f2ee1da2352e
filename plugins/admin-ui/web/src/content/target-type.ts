/** The type code that a reference leads to: its last segment in lower case; none for an empty value or one with Void (specification, section 2). */
export function targetType(reference: string | undefined): string | undefined {
  if (reference === undefined || reference === '' || reference.includes('Void')) return undefined;
  return reference.split('.').at(-1)?.toLowerCase();
}
