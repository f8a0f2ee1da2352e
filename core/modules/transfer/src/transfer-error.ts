/** Why a file cannot be transferred at all. */
export class TransferError extends Error {
  override readonly name = 'TransferError';

  /** The remedy, in the words of a request over HTTP. */
  readonly requestRemedy: string;

  /** The query parameter of a request that is wrong; undefined where the file is. */
  readonly parameter: string | undefined;

  constructor(
    message: string,
    /** The remedy, in the words of the command line. */
    readonly remedy: string,
    options: ErrorOptions & { readonly requestRemedy?: string; readonly parameter?: string } = {},
  ) {
    super(message, options);
    this.requestRemedy = options.requestRemedy ?? remedy;
    this.parameter = options.parameter;
  }
}
