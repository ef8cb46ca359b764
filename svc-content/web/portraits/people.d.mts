export interface Person {
  slug: string;
  skin: string;
  hair: string;
  style: string;
  dress: string;
  garment: string;
}

export const PEOPLE: readonly Person[];
