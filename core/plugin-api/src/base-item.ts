import 'reflect-metadata';
import { AutoIncrement, Column, CreatedAt, DataType, Model, PrimaryKey, UpdatedAt } from 'sequelize-typescript';

/**
 * What every item type extends: identity, audit timestamps and the version of optimistic locking.
 * @public
 */
export abstract class BaseItem extends Model {
  @PrimaryKey
  @AutoIncrement
  @Column(DataType.BIGINT)
  declare readonly id: number;

  @CreatedAt
  @Column(DataType.DATE(3))
  declare readonly createdAt: Date;

  @UpdatedAt
  @Column(DataType.DATE(3))
  declare readonly updatedAt: Date;

  @Column({ type: DataType.INTEGER, allowNull: false, defaultValue: 1 })
  declare version: number;
}
