import type { Random } from './random.ts';

const firstNames =
  'Amara Andre Bea Carlos Chidi Dana Deepa Elena Emre Farah Grace Hana Hector Imani Jonas Joyce Kenji Leila Lucia Marcus Maya Mina Nadia Noor Omar Oscar Petra Priya Quinn Rafael Rosa Samir Sofia Tariq Theo Tomas Uma Viktor Wei Yara'.split(
    ' ',
  );
const lastNames =
  'Abara Alvarez Bauer Brandt Castillo Chen Dalton Diaz Eriksen Farrell Fontaine Garcia Haddad Hughes Ibarra Ito Jensen Kapoor Keller Kim Lindqvist Lopez Marsh Mendez Nakamura Novak Okafor Olsen Park Patel Quiroga Reyes Rossi Santos Schaefer Tanaka Torres Underhill Vega Whitfield'.split(
    ' ',
  );
const companyNames =
  'Alder Bay Beacon Blue Ridge Canyon Cedar Coastline Copper Crestview Delta Eastgate Evergreen Fairview Foxglove Granite Harborline Highland Ironwood Juniper Keystone Lakeshore Lantern Mariner Meadow Northstar Oakline Pacific Pinecrest Quarry Redwood Riverbend Sierra Summit Tidewater Union Valley Westport Willow Windward'.split(
    ' ',
  );
const trades =
  'Apparel,Beverage,Biotech,Brands,Components,Dental Supply,Distribution,Electronics,Foods,Furniture,Hardware,Instruments,Logistics,Medical,Outdoor,Packaging,Parts,Pet Supply,Plastics,Robotics,Sporting Goods,Textiles,Tools,Wholesale'.split(
    ',',
  );
const forms = ['Inc.', 'LLC', 'Co.', 'Group', 'Partners'];

/** A generated person: a name from a list, and an email address in a reserved domain that never exists (RFC 2606). */
export interface Person {
  readonly fullName: string;
  readonly email: string;
  readonly company: string;
  /** A phone number from a range that is reserved for fiction. */
  readonly phone: string;
}

/**
 * @param index the number of the person. The email address contains a number of 100 or more, so people on a large site
 * rarely have the same email address.
 */
export function personOf(random: Random, index: number): Person {
  const first = random.pick(firstNames);
  const last = random.pick(lastNames);
  const [name, trade] = [random.pick(companyNames), random.pick(trades)];
  const domain = `${name}-${trade}`.toLowerCase().replaceAll(' ', '-');
  const number = index < 100 ? '' : index;
  return {
    fullName: `${first} ${last}`,
    email: `${first}.${last}${number}@${domain}.example`.toLowerCase(),
    company: `${name} ${trade} ${random.pick(forms)}`,
    phone: `(${random.pick(['213', '310', '424', '562', '714'])}) 555-01${String(random.below(100)).padStart(2, '0')}`,
  };
}
