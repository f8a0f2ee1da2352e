import { BaseItem, Field, ItemType } from '@gantry/plugin-api';
import type { FocalPoint } from './focal-point';

/**
 * The description of an uploaded image, wherever it is used. The address is text and no IMAGE value: who reads a description has no
 * right to the image by that.
 * @public
 */
@ItemType({
  displayName: 'Image description',
  icon: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  columns: ['alternativeText', 'address'],
  unique: [['address']],
  heading: 'alternativeText',
})
export class MediaImage extends BaseItem {
  @Field({
    displayName: 'Address',
    required: true,
    searchable: true,
    editableOnUpdate: false,
    maxLength: 100,
    placeholder: '/media/….jpg',
    pattern: '/media/[0-9a-f]{64}\\.(png|jpg|gif|webp|avif)',
    help: 'The address that the upload of the image was answered with.',
  })
  declare address: string;

  @Field({
    displayName: 'Alternative text',
    searchable: true,
    maxLength: 255,
    help: 'Description of the picture for people who do not see it.',
  })
  declare alternativeText: string | null;

  @Field({
    displayName: 'Focal point',
    type: 'media.FocalPoint',
    settings: { image: 'address' },
    help: 'The part that stays visible where the image is cropped.',
  })
  declare focalPoint: FocalPoint | null;
}
