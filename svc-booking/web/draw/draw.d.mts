export const SCENE: string;
