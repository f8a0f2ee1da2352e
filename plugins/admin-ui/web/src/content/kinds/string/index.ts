import { plainKind, type FieldKind } from '../field-kind';

export const stringKind: FieldKind = { ...plainKind, type: 'STRING', isKey: true, hasWords: true, isName: true };
