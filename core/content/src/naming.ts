/** The type code: the simple class name in lower case (specification, section 1). */
export function typeCode(className: string): string {
  return className.toLowerCase();
}

/** `TopEventComponent` as `Top Event Component`. */
export function spacedWords(className: string): string {
  return className.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
}
