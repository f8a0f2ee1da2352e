/** Why a file cannot be transferred at all. */
export class TransferError extends Error {
  override readonly name = 'TransferError';

  /** What to do about it, in the words of a request over HTTP. */
  readonly requestRemedy: string;

  constructor(
    message: string,
    /** What to do about it, in the words of the command line. */
    readonly remedy: string,
    options: ErrorOptions & { readonly requestRemedy?: string } = {},
  ) {
    super(message, options);
    this.requestRemedy = options.requestRemedy ?? remedy;
  }
}
