import type { Database } from '@gantry/plugin-api';

interface OwnWebhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

/** Webhooks that users have created, by the module that has their tables. @param actor such as `user:12` */
export interface WebhooksOfUsers {
  list(database: Pick<Database, 'query'>, actor: string): Promise<readonly OwnWebhook[]>;
  /** @returns those that were deleted */
  delete(transaction: Pick<Database, 'query'>, actor: string): Promise<readonly OwnWebhook[]>;
}
