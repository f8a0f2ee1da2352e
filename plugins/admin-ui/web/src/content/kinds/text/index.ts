import { plainKind, type FieldKind } from '../field-kind';

export const textKind: FieldKind = { ...plainKind, type: 'TEXT', hasWords: true };
