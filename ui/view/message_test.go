package view_test

import (
	"testing"

	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

// What was kept in English is said again down to its parts; what the catalogue does not
// know is told to be English.
func TestMessages(t *testing.T) {
	fr := view.Reader{Tongue: tongue.In("fr"), Window: true}
	for _, c := range []struct{ english, want string }{
		{"", ""},
		{
			"The file was encrypted to a key that this site does not hold: sealed for another key: serial 1a of issuer CN=other site; key id 07; 2 more. Import that key, then redrive the upload. The file is kept.",
			"Le fichier a été chiffré avec une clé que ce site ne détient pas : chiffré pour une autre clé : numéro de série 1a, émetteur CN=other site; identifiant de clé 07; 2 de plus. La personne qui a construit l’application de l’appareil a cette clé : importez son fichier à la page « Étude », « Importer une clé… » ; ensuite « Traiter à nouveau » (page « Téléversements ») l’ouvre.",
		},
		{
			"The encrypted file cannot be opened: sealed message is damaged (sealed for serial 1a of issuer CN=here). Ask for it to be sent again, encrypted to this site's certificate. The file is kept.",
			"Le fichier chiffré ne peut pas être ouvert : le message chiffré est endommagé (chiffré pour numéro de série 1a, émetteur CN=here). Demandez qu’il soit renvoyé, chiffré avec le certificat de ce site. Le fichier est conservé.",
		},
		{
			"The file cannot be opened: content encryption 1.2.3: unsupported algorithm (sealed for a password). The file is kept.",
			"Le fichier ne peut pas être ouvert : chiffrement du contenu 1.2.3 : algorithme non pris en charge (chiffré pour un mot de passe). Le fichier est conservé.",
		},
		{
			"The zip looks wrong: entry 3 of the directory ends in the middle of its data. It is exported as it is.",
			"Le zip semble incorrect : l’entrée 3 du répertoire finit au milieu de : ses données. Il est envoyé tel quel.",
		},
		{
			"The data does not fit schema walk revision 3: Field steps is no number.; Field side is required and is missing. The file is kept.",
			"Les données ne correspondent pas au schéma walk révision 3 : Le champ steps n’est pas un nombre.; Le champ side est obligatoire et manque. Le fichier est conservé.",
		},
		{
			"This repository has no accounts of its own: let jo read /srv/records/sleep there by its own means (permissions of the folder, a bucket policy, a share). Noted.",
			"Ce dépôt n’a pas de comptes à lui : laissez jo y lire /srv/records/sleep par les moyens du dépôt (droits du dossier, règles du compartiment, partage). C’est noté.",
		},
		{"jo may read the project of study sleep.", "jo peut lire le projet de l’étude sleep."},
		{"info.json: the timestamp of file not a zip is not an ISO 8601 time.", "info.json : l’horodatage du fichier not a zip est incorrect (pas un moment ISO 8601)."},
		{"Account is invalid: email does not appear to be an email address; externalIds[sleep] is required", "Account n’est pas correct : email n’est pas une adresse e-mail; externalIds[sleep] est obligatoire"},
		{"The key was not taken: the private key is not an RSA key; devices seal for RSA keys only.", "La clé n’a pas été prise : la clé privée n’est pas une clé RSA ; les appareils ne chiffrent que pour des clés RSA."},
		{"UploadSchema is invalid: fieldDefinitions[0].name cannot be row_id: that name is reserved", "UploadSchema n’est pas correct : fieldDefinitions[0].name ne peut pas être row_id : ce nom est réservé"},
		{"The repository cannot be used: open rclone remote box: /srv/home/rclone.conf has no such remote.", "Le dépôt ne peut pas être utilisé : le fichier /srv/home/rclone.conf n’a pas de section box."},
		{"The repository must begin with \"folder:\", \"rclone:\" or \"synapse:\".", "Le dépôt doit commencer par « folder: », « rclone: » ou « synapse: »."},
		{"Account is invalid: password must contain a digit", "Account n’est pas correct : password doit contenir un chiffre"},
		{"The study is odd.", "(en anglais) The study is odd."},
	} {
		if got := fr.Message(c.english); got != c.want {
			t.Errorf("said is %s\nnot     %s", got, c.want)
		}
		if got := (view.Reader{}).Message(c.english); got != c.english {
			t.Errorf("in English is said %s\nnot                %s", got, c.english)
		}
	}
}
