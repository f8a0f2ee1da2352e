/** Settings of the email service. */
export interface EmailConfig {
  /** Mail server; absent: notifications stay in the stored outbox. */
  readonly smtpUrl?: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Reads `SMTP_URL`, `ORDER_MAIL_FROM` and `ORDER_MAIL_TO`. An order has no mail address (order specification,
 * section 2), so that all its notifications go to one.
 */
export function parseEmailConfig(environment: Readonly<Record<string, string | undefined>>): EmailConfig {
  const smtpUrl = environment['SMTP_URL'] || undefined;
  if (smtpUrl !== undefined) assertSmtpUrl(smtpUrl);
  return {
    ...(smtpUrl === undefined ? {} : { smtpUrl }),
    from: environment['ORDER_MAIL_FROM'] || 'orders@localhost',
    to: environment['ORDER_MAIL_TO'] || 'customer@localhost',
  };
}

/** The message leaves the value out, because it may hold a password. */
function assertSmtpUrl(value: string): void {
  const protocol = URL.canParse(value) ? new URL(value).protocol : undefined;
  if (protocol === 'smtp:' || protocol === 'smtps:') return;
  throw new Error('SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465');
}
