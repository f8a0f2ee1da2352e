/** A constant as a person reads it: WAITING_FOR_DISPATCH becomes "Waiting for dispatch". */
export function sentenceCase(constant: string): string {
  const words = constant.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
