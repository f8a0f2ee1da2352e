/** Why a file cannot be transferred at all; a command shows its message and remedy. */
export class TransferError extends Error {
  override readonly name = 'TransferError';

  constructor(
    message: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
