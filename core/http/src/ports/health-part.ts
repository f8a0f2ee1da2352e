/** The state of one part of the platform, as readiness reports it. */
export interface HealthPart {
  readonly name: string;
  readonly status: 'up' | 'degraded' | 'down';
  readonly message?: string;
  /** Of a subscription: the id of the webhook, or `<plugin>/<name>`. */
  readonly subscription?: string;
}
