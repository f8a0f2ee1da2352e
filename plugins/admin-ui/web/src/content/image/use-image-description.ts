import { useQuery } from '@tanstack/react-query';
import {
  focalPointOf,
  imageDescriptionQuery,
  imageDescriptionType,
  type FocalPoint,
} from '../../api/image-description';
import { typesQuery } from '../../api/queries';
import type { Item } from '../../api/items';

export interface ImageDescription {
  /** The stored description. */
  readonly item: Item | undefined;
  readonly alternativeText: string | undefined;
  readonly focalPoint: FocalPoint | undefined;
  /** Whether descriptions are read here: the plugin is in use and the roles of the reader show them. */
  readonly isAvailable: boolean;
}

/** The description of an image; undefined while it is read, and for an image that was not uploaded. */
export function useImageDescription(address: string | undefined): ImageDescription {
  const { data: types = [] } = useQuery(typesQuery);
  const isAvailable = types.some(({ type }) => type === imageDescriptionType);
  const enabled = isAvailable && address !== undefined;
  const { data } = useQuery({ ...imageDescriptionQuery(address ?? ''), enabled });
  const text = data?.values['alternativeText'];
  return {
    item: data ?? undefined,
    alternativeText: typeof text === 'string' && text !== '' ? text : undefined,
    focalPoint: focalPointOf(data?.values['focalPoint']),
    isAvailable,
  };
}
