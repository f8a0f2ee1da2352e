import { BaseItem, Field, ItemType, type Related } from '@gantry/plugin-api';
import { Article } from './article';

/** A part of a page that shows articles in a chosen order. @public */
@ItemType({
  displayName: 'Trending articles component',
  displayNamePlural: 'Trending articles',
  icon: 'M4 17l5-5 4 3 7-8M15 7h5v5',
  columns: ['title', 'articles'],
})
export class TrendingArticleComponent extends BaseItem {
  @Field({ displayName: 'Title', placeholder: 'Most read this week', searchable: true, required: true })
  declare title: string;

  @Field({ displayName: 'Articles', type: 'REFERENCE', targetEntity: () => Article, cardinality: 'MULTIPLE' })
  declare articles: Related<Article>[];
}
