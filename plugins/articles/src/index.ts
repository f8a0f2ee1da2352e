import { definePlugin } from '@gantry/plugin-api';
import { Article } from './article';
import { TrendingArticleComponent } from './trending-article-component';

export { Article, TrendingArticleComponent };

export default definePlugin({ id: 'articles', itemTypes: [Article, TrendingArticleComponent] });
