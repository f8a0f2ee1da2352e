/** The parameter `delimiter` of an import or export; see http/transfer-parameters.ts. */
export const delimiterSchema = {
  type: 'string',
  pattern: String.raw`^[^"\r\n]$`,
  maxLength: 1,
  default: ',',
} as const;
