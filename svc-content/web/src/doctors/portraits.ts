// Written by portraits/draw.mjs.
import drVasundharaHegde from '../../portraits/drawn/dr-vasundhara-hegde.svg';
import drRaghunandanShetty from '../../portraits/drawn/dr-raghunandan-shetty.svg';
import drMeghanaKulkarni from '../../portraits/drawn/dr-meghana-kulkarni.svg';
import drAravindBhat from '../../portraits/drawn/dr-aravind-bhat.svg';
import drSudhakarGowda from '../../portraits/drawn/dr-sudhakar-gowda.svg';
import drNandiniIyengar from '../../portraits/drawn/dr-nandini-iyengar.svg';
import drFarhanSiddiqui from '../../portraits/drawn/dr-farhan-siddiqui.svg';
import drPraveenNaidu from '../../portraits/drawn/dr-praveen-naidu.svg';
import drKavithaRamesh from '../../portraits/drawn/dr-kavitha-ramesh.svg';
import drThomasKurien from '../../portraits/drawn/dr-thomas-kurien.svg';
import drGirishDeshpande from '../../portraits/drawn/dr-girish-deshpande.svg';
import drShaliniDsouza from '../../portraits/drawn/dr-shalini-dsouza.svg';
import drAyeshaKhanum from '../../portraits/drawn/dr-ayesha-khanum.svg';
import drManjunathKamath from '../../portraits/drawn/dr-manjunath-kamath.svg';
import drRekhaPrabhu from '../../portraits/drawn/dr-rekha-prabhu.svg';
import drChandrashekarRao from '../../portraits/drawn/dr-chandrashekar-rao.svg';

/** A doctor’s slug to the address of the portrait. */
export const PORTRAITS: Readonly<Record<string, string>> = {
  'dr-vasundhara-hegde': drVasundharaHegde,
  'dr-raghunandan-shetty': drRaghunandanShetty,
  'dr-meghana-kulkarni': drMeghanaKulkarni,
  'dr-aravind-bhat': drAravindBhat,
  'dr-sudhakar-gowda': drSudhakarGowda,
  'dr-nandini-iyengar': drNandiniIyengar,
  'dr-farhan-siddiqui': drFarhanSiddiqui,
  'dr-praveen-naidu': drPraveenNaidu,
  'dr-kavitha-ramesh': drKavithaRamesh,
  'dr-thomas-kurien': drThomasKurien,
  'dr-girish-deshpande': drGirishDeshpande,
  'dr-shalini-dsouza': drShaliniDsouza,
  'dr-ayesha-khanum': drAyeshaKhanum,
  'dr-manjunath-kamath': drManjunathKamath,
  'dr-rekha-prabhu': drRekhaPrabhu,
  'dr-chandrashekar-rao': drChandrashekarRao,
};
