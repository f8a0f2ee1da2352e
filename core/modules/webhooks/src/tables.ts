import { platform, type ColumnSpec, type IndexSpec, type PluginSchema, type TableSpec } from '@gantry/core-database';
import { subscriptionEvents } from './table-events';

const id: ColumnSpec = { name: 'id', type: 'BIGINT', nullable: false, identity: true };
const subscriptionId = whole('subscription_id');
const position: readonly ColumnSpec[] = [
  { name: 'epoch', type: 'INTEGER', nullable: false },
  whole('transaction_id'),
  whole('sequence'),
];
const positionColumns = ['subscription_id', 'epoch', 'transaction_id', 'sequence'];

/** Subscriptions to the change feed with their cursors, what they could not deliver, and webhooks. */
export const subscriptionSchema: PluginSchema = {
  id: platform,
  events: subscriptionEvents,
  migrations: [],
  tables: [
    {
      ...table('gantry_subscription', [
        id,
        // `webhook` or `plugin`.
        text('kind'),
        // Of a plugin `<plugin>/<id>`, of a webhook its public id.
        text('name'),
        text('state', `'active'`),
        ...position,
        // Raised when a host takes the subscription over, and by a replay: the host before stores nothing any more.
        whole('lease', '0'),
        // Raised by a change of what or how it delivers: the delivery begins again.
        whole('revision', '0'),
        { ...time('run_until'), nullable: true },
        { ...time('failing_since'), nullable: true },
        { ...text('last_error'), nullable: true },
        { ...time('last_delivered_at'), nullable: true },
        { ...time('gap_since'), nullable: true },
        // Tables of its types that were in use when it was last delivered, or when it was created or changed since then.
        { name: 'read_tables', type: 'text[]', nullable: true },
        // Tables of its types that are not in use, and the position behind which their changes are to be delivered when they are again.
        { name: 'absent_tables', type: 'JSONB', nullable: true },
        time('created_at', 'now()'),
      ]),
      indexes: [unique('gantry_subscription', ['name'])],
    },
    {
      ...table('gantry_webhook', [
        id,
        subscriptionId,
        text('name'),
        text('url'),
        { name: 'types', type: 'text[]', nullable: false },
        { name: 'actions', type: 'text[]', nullable: false },
        { name: 'filter', type: 'JSONB', nullable: false },
        { name: 'header_names', type: 'text[]', nullable: false },
        text('encrypted_headers'),
        text('encrypted_secret'),
        { ...text('encrypted_earlier_secret'), nullable: true },
        { ...time('earlier_secret_until'), nullable: true },
        // Example: `user:12`.
        { ...text('created_by'), nullable: true },
        time('created_at', 'now()'),
        time('updated_at', 'now()'),
      ]),
      indexes: [unique('gantry_webhook', ['subscription_id'])],
      foreignKeys: [ofSubscription('gantry_webhook')],
    },
    ofChange('gantry_waiting_change', [
      ...[text('item'), { name: 'attempts', type: 'INTEGER', nullable: false }],
      ...[time('since'), time('due_at'), { ...text('error'), nullable: true }],
    ]),
    ofChange('gantry_undelivered_change', [
      ...[text('item'), { name: 'attempts', type: 'INTEGER', nullable: false }],
      ...[time('since'), time('given_up_at', 'now()'), text('error')],
    ]),
    {
      ...table('gantry_delivery', [
        id,
        subscriptionId,
        ...position,
        text('item'),
        time('at'),
        { name: 'attempt', type: 'INTEGER', nullable: false },
        { name: 'is_delivered', type: 'boolean', nullable: false },
        { name: 'status', type: 'INTEGER', nullable: true },
        { name: 'duration_ms', type: 'INTEGER', nullable: false },
        { ...text('error'), nullable: true },
        { ...text('answer'), nullable: true },
      ]),
      indexes: [
        { ...unique('gantry_delivery', ['subscription_id', 'id']), name: 'gantry_delivery_log_idx', unique: false },
      ],
      foreignKeys: [ofSubscription('gantry_delivery')],
    },
  ],
};

/** One row for a change that a subscription has not delivered. */
function ofChange(name: string, columns: readonly ColumnSpec[]): TableSpec {
  return {
    ...table(name, [id, subscriptionId, ...position, ...columns]),
    indexes: [{ ...unique(name, positionColumns), name: `${name}_position_key` }],
    foreignKeys: [ofSubscription(name)],
  };
}

function table(name: string, columns: readonly ColumnSpec[]): TableSpec {
  return { plugin: platform, name, columns, primaryKey: ['id'], indexes: [], foreignKeys: [] };
}

function unique(name: string, columns: readonly string[]): IndexSpec {
  return { name: `${name}_${columns[0] ?? ''}_key`, columns, unique: true, method: 'btree' };
}

function ofSubscription(name: string): TableSpec['foreignKeys'][number] {
  return {
    name: `${name}_subscription_id_fkey`,
    column: 'subscription_id',
    referencedTable: 'gantry_subscription',
    onDelete: 'CASCADE',
  };
}

function whole(name: string, byDefault?: string): ColumnSpec {
  return { name, type: 'BIGINT', nullable: false, ...(byDefault === undefined ? {} : { default: byDefault }) };
}

function text(name: string, byDefault?: string): ColumnSpec {
  return { name, type: 'text', nullable: false, ...(byDefault === undefined ? {} : { default: byDefault }) };
}

function time(name: string, byDefault?: string): ColumnSpec {
  return { name, type: 'TIMESTAMPTZ(3)', nullable: false, ...(byDefault === undefined ? {} : { default: byDefault }) };
}
