'use strict';
const { BaseItem, definePlugin, Field, ItemType } = require('@gantry/plugin-api');
const { pointKind } = require('./point-kind');

class Place extends BaseItem {}
Field({ displayName: 'Name', searchable: true, required: true })(Place.prototype, 'name');
Field({ displayName: 'Location', type: 'geo.Point', searchable: true })(Place.prototype, 'location');
ItemType({ columns: ['name', 'location'], unique: [['name']] })(Place);

exports.default = definePlugin({ id: 'geo', itemTypes: [Place], fieldKinds: [pointKind] });
exports.pointKind = pointKind;
