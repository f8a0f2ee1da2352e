"use strict";
var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.Recipe = void 0;
const plugin_api_1 = require("@gantry/plugin-api");
const plugin_articles_1 = require("@gantry/plugin-articles");
const sequelize_typescript_1 = require("sequelize-typescript");
let Recipe = class Recipe extends plugin_api_1.BaseItem {
};
exports.Recipe = Recipe;
__decorate([
    (0, plugin_api_1.Field)({ displayName: 'Name', placeholder: 'Pumpkin soup', searchable: true, required: true }),
    __metadata("design:type", String)
], Recipe.prototype, "name", void 0);
__decorate([
    (0, plugin_api_1.Field)({ displayName: 'Minutes', type: 'NUMBER', column: sequelize_typescript_1.DataType.INTEGER, min: 1, max: 10000, searchable: true }),
    __metadata("design:type", Object)
], Recipe.prototype, "minutes", void 0);
__decorate([
    (0, plugin_api_1.Field)({ displayName: 'Vegetarian', type: 'BOOLEAN', default: false, searchable: true }),
    __metadata("design:type", Boolean)
], Recipe.prototype, "vegetarian", void 0);
__decorate([
    (0, plugin_api_1.Field)({ displayName: 'Method', type: 'TEXT' }),
    __metadata("design:type", Object)
], Recipe.prototype, "method", void 0);
__decorate([
    (0, plugin_api_1.Field)({ displayName: 'Article', type: 'REFERENCE', targetEntity: () => plugin_articles_1.Article, searchable: true }),
    __metadata("design:type", Object)
], Recipe.prototype, "article", void 0);
exports.Recipe = Recipe = __decorate([
    (0, plugin_api_1.ItemType)({
        displayName: 'Recipe',
        columns: ['name', 'minutes', 'vegetarian', 'article'],
        unique: [['name']],
        searchResult: { label: 'name', subLabel: 'minutes' },
    })
], Recipe);
