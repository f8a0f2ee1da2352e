import 'reflect-metadata';
import { AutoIncrement, Column, CreatedAt, DataType, Model, PrimaryKey, UpdatedAt } from 'sequelize-typescript';

/**
 * The id of an item as models have it: a whole number from 1 in decimal notation, as text, because a 64-bit number does not
 * fit into a JavaScript number. The REST interface shows it as a JSON number.
 * @public
 */
export type ItemId = string;

/**
 * The base class of every item type: identity, audit timestamps and the version of optimistic locking.
 * @public
 */
export abstract class BaseItem extends Model {
  @PrimaryKey
  @AutoIncrement
  @Column(DataType.BIGINT)
  declare readonly id: ItemId;

  @CreatedAt
  @Column(DataType.DATE(3))
  declare readonly createdAt: Date;

  @UpdatedAt
  @Column(DataType.DATE(3))
  declare readonly updatedAt: Date;

  @Column({ type: DataType.INTEGER, allowNull: false, defaultValue: 1 })
  declare version: number;
}
