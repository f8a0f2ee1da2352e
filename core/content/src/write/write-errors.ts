import { GantryError, isGantryError } from '@gantry/plugin-api';
import {
  checkViolation,
  foreignKeyViolation,
  isUnavailable,
  notNullViolation,
  quoteIdentifier,
  sqlStateOf,
  translateOutdated,
  translateUnavailable,
  triggerRefusal,
  uniqueViolation,
  unknownNames,
  valueError,
  type RunQuery,
} from '@gantry/core-database';
import { generatedBy, type CompiledItemType, type ItemTypeDescriptor } from '../compile/descriptor';
import { uniqueSetsOf } from '../compile/link-models';

export interface WriteContext {
  readonly type: ItemTypeDescriptor;
  /** That of the type, whose indexes a write can violate; undefined for a type that the host does not serve. */
  readonly model: CompiledItemType['model'] | undefined;
  readonly action: 'create' | 'update' | 'restore' | 'delete';
  /** Runs a statement after what the write did was undone. */
  readonly query: RunQuery;
  /** Looks up what a violated foreign key means to the client. */
  describeForeignKey(): Promise<GantryError>;
}

/** Converts an error of a write into the error that the client gets; programming errors are passed on. */
export async function translateWriteError(error: unknown, context: WriteContext): Promise<unknown> {
  if (isGantryError(error)) return error;
  if (isUnavailable(error)) return translateUnavailable(error);
  if (isOutdated(error, context.type)) return translateOutdated(error);
  if (foreignKeyViolation(error) !== undefined) return context.describeForeignKey();
  return (
    uniqueProblem(error, context) ??
    (await checkProblem(error, context)) ??
    valueProblem(error, context) ??
    modelProblem(error, context) ??
    error
  );
}

/** Whether a statement of the model does not find its table or a column; one of a hook of the plugin may look for others. */
export function isOutdated(error: unknown, { table, fields }: ItemTypeDescriptor): boolean {
  const tables = fields.flatMap(({ column, reference, links }) => [
    column,
    reference?.linkTable ?? '',
    links?.table ?? '',
  ]);
  const names = new Set([table, ...tables]);
  return unknownNames(error).some((name) => name !== '' && names.has(name));
}

function uniqueProblem(error: unknown, context: WriteContext): GantryError | undefined {
  const violation = uniqueViolation(error);
  if (violation === undefined) return undefined;
  if (violation.constraint.endsWith('_pkey')) return idTaken(error, context);
  const sets = uniqueSetsOf(context.type, context.model);
  const declared = sets.find(({ constraint }) => constraint === violation.constraint)?.fields;
  const set = declared ?? shownFieldsOf(context.type, violation.keys);
  const values = set.length > 0 ? `the same ${set.join(', ')}` : 'the same unique values';
  return failed('CONFLICT', context, `another ${context.type.displayName} has ${values}`, {
    cause: error,
    details: set.map((path) => ({ path, code: 'NOT_UNIQUE', message: uniqueRule(set) })),
  });
}

/** A CHECK that a plugin's migration added. Its name is given with the fields only: it may speak of one that is hidden. */
async function checkProblem(error: unknown, context: WriteContext): Promise<GantryError | undefined> {
  const violation = checkViolation(error);
  if (violation === undefined) return undefined;
  const { table, constraint } = violation;
  const { type, query } = context;
  const columns =
    table === type.table ? await query({ sql: checkColumns, values: [quoteIdentifier(table), constraint] }) : [];
  const fields = shownFieldsOf(
    type,
    columns.map(([column]) => String(column)),
  );
  const names = fields.join(', ');
  const which = fields.length === 0 ? '' : `: ${constraint} (${names})`;
  return failed('VALIDATION_FAILED', context, `the values violate a constraint of the table${which}`, {
    cause: error,
    details: fields.map((path) => ({
      path,
      code: 'VALUE_INVALID',
      message: `${names} ${fields.length === 1 ? 'violates' : 'violate'} the constraint ${constraint}`,
    })),
  });
}

/** Parameters: the table, and the name of the constraint. */
const checkColumns = `SELECT a.attname::text FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
  WHERE c.conrelid = to_regclass($1) AND c.conname = $2 AND c.contype = 'c' ORDER BY a.attnum`;

/**
 * The fields of columns, or of expressions of them, that a constraint compares which the model does not declare: a migration made it, or an
 * earlier version has left it. None unless each key is of fields that are shown.
 */
function shownFieldsOf(type: ItemTypeDescriptor, keys: readonly string[]): readonly string[] {
  const shown = new Map(
    type.fields.flatMap(({ column, name, shownOn }) => (shownOn === undefined ? [[column, name] as const] : [])),
  );
  const fields = keys.map((key) => key.split(/[^\w$]+/).flatMap((word) => shown.get(word) ?? []));
  return fields.some((names) => names.length === 0) ? [] : [...new Set(fields.flat())];
}

/** Of several restores of an item at the same time, one writes it. */
function idTaken(cause: unknown, context: WriteContext): GantryError {
  const { action, type } = context;
  const message = action === 'restore' ? 'it exists already' : `another ${type.displayName} has the same id`;
  return failed('CONFLICT', context, message, { cause, details: [{ path: 'id', code: 'NOT_UNIQUE', message }] });
}

function uniqueRule(set: readonly string[]): string {
  return set.length === 1 ? `${set[0]} must be unique` : `${set.join(', ')} must be unique together`;
}

/** SQLSTATE program_limit_exceeded: an entry of an index has at most a third of a page. */
const indexEntryTooLong = '54000';

function valueProblem(error: unknown, context: WriteContext): GantryError | undefined {
  const missing = notNullViolation(error);
  if (missing !== undefined) {
    const field = context.type.fields.find((candidate) => candidate.column === missing.column);
    const message = `${field?.name ?? missing.column} is required`;
    const details = field === undefined ? [] : [{ path: field.name, code: 'REQUIRED', message }];
    return failed('VALIDATION_FAILED', context, message, { cause: error, details });
  }
  if (sqlStateOf(error) === indexEntryTooLong) {
    return failed('VALIDATION_FAILED', context, 'values that must be unique together are too long to be compared', {
      cause: error,
    });
  }
  const refusal = triggerRefusal(error);
  if (refusal !== undefined) {
    const { message, column } = refusal;
    const details = shownFieldsOf(context.type, [column]).map((path) => ({ path, code: 'VALUE_INVALID', message }));
    return failed('VALIDATION_FAILED', context, `the database rejects it: ${message}`, { cause: error, details });
  }
  if (valueError(error) === undefined) return undefined;
  const computed = context.type.fields.filter((field) => generatedBy(field) !== undefined).map(({ name }) => name);
  const others = computed.length === 0 ? '' : `, or a computed value does not (${computed.join(', ')})`;
  return failed('VALIDATION_FAILED', context, `a value does not fit its column${others}`, { cause: error });
}

/** Validators and hooks of the model itself: their message is the plugin author's word to the client. */
function modelProblem(error: unknown, context: WriteContext): GantryError | undefined {
  if (!(error instanceof Error) || isProgrammingError(error)) return undefined;
  if (error.name === 'SequelizeValidationError' && 'errors' in error && Array.isArray(error.errors)) {
    const details = (error.errors as readonly { path?: string | null; message: string }[]).map((item) => ({
      path: item.path ?? '',
      code: 'MODEL_VALIDATION',
      message: item.message,
    }));
    return failed('VALIDATION_FAILED', context, details.map((detail) => detail.message).join('; '), {
      cause: error,
      details,
    });
  }
  return isWrittenForClients(error) ? failed('BAD_REQUEST', context, error.message, { cause: error }) : undefined;
}

/** Errors that hooks throw on purpose have no code; those of the system, the database and libraries have one. */
function isWrittenForClients(error: Error): boolean {
  return !('code' in error) && !error.name.startsWith('Sequelize');
}

function isProgrammingError(error: Error): boolean {
  return [TypeError, ReferenceError, RangeError, SyntaxError].some((kind) => error instanceof kind);
}

function failed(
  code: 'CONFLICT' | 'VALIDATION_FAILED' | 'BAD_REQUEST',
  { type, action }: WriteContext,
  cause: string,
  options: ConstructorParameters<typeof GantryError>[2],
): GantryError {
  return new GantryError(code, `Failed to ${action} ${type.displayName}: ${cause}`, options);
}
