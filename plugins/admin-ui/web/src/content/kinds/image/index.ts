import { plainKind, type FieldKind } from '../field-kind';

export const imageKind: FieldKind = { ...plainKind, type: 'IMAGE', cellText: () => '' };
