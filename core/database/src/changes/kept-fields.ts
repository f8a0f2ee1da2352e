import type { ChangedField } from '../table-spec';

const beginning = '; fields ';

/** The end of a comment in the source of the trigger of a table: the fields that it keeps are to be known without the code of their plugins. */
export function noteOfFields(fields: readonly ChangedField[]): string {
  return beginning + JSON.stringify(fields);
}

/** The fields that the trigger keeps. @param triggers sources by the name of the trigger */
export function fieldsKept(triggers: ReadonlyMap<string, string> | undefined): readonly ChangedField[] {
  const [, comment = ''] = triggers?.get('gantry_change_insert')?.split('\n') ?? [];
  const start = comment.indexOf(beginning);
  return start < 0 ? [] : (JSON.parse(comment.slice(start + beginning.length)) as readonly ChangedField[]);
}
