/** Of the plugin API, so that the kinds of plugins take the texts that fields take. */
export { checkStorable, isBlankText, normalizeSearch, normalizeText, type TextRules } from '@gantry/plugin-api';
