import { plainKind, type FieldKind } from '../field-kind';

export const fieldKind: FieldKind = { ...plainKind, differsByWord: true, hasWords: true };
