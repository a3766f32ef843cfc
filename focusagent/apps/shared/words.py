"""Content for seeding: people, goods, tickets, prose in English, German and Spanish. The same seed gives the same text.

Needs the standard library only: it runs in each application's environment."""

import random

FIRST = (
    "Amara Bjorn Chiara Dmitri Elif Farid Greta Hugo Ines Jonas Keiko Liam Mirela Noor Oskar Priya Quentin Rosa Samir "
    "Tove Ursula Viktor Wanda Ximena Yusuf Zofia Anouk Bruno Carmen Dario Esther Fatima Goran Hanna Ivo Jasmin Kofi "
    "Lucia Marek Nadia"
).split()
LAST = (
    "Abbott Bianchi Costa Dahl Eriksen Fontaine Garcia Haddad Ivanova Jensen Kowalski Lindqvist Moreau Nakamura Okafor "
    "Petrov Quinn Rossi Schmidt Tanaka Ueda Varga Weber Yilmaz Zimmer Albrecht Brandt Castillo Delgado Eklund"
).split()
TOWNS = "Leeds Bristol Glasgow Cardiff Norwich Exeter Dundee Durham Bremen Kassel Cadiz Burgos".split()
STREETS = "Harbour Mill Station Chapel Orchard Granary Tannery Quarry Foundry Meadow Lantern Weaver".split()

QUALITIES = (
    "compact folding insulated waterproof cast-iron ceramic bamboo stainless cordless adjustable organic merino linen "
    "recycled rechargeable vintage handmade heavy-duty ergonomic wireless"
).split()
GOODS = {
    "Kitchen": "kettle saucepan chopping-board pepper-mill toaster colander whisk teapot storage-jar skillet".split(),
    "Garden": "secateurs watering-can trowel bird-feeder hose-reel plant-pot wheelbarrow rake lantern".split(),
    "Outdoor": "tent sleeping-bag headlamp rucksack camp-stove water-bottle hammock dry-bag cool-box".split(),
    "Office": "desk-lamp notebook stapler monitor-stand office-chair fountain-pen filing-tray whiteboard".split(),
    "Textiles": "blanket cushion bath-towel scarf tablecloth duvet-cover apron curtain".split(),
}
PRAISE = {
    "en": (
        "The handle stays cool even after an hour on the stove.",
        "Comes with a five year guarantee and a spare seal.",
        "Some customers found the lid a little tight at first.",
        "Made in a small workshop in the north of Portugal.",
        "Dishwasher safe, but we recommend washing it by hand.",
        "Packs down to the size of a water bottle.",
        "Tested for four seasons in the Scottish highlands.",
        "The colour may differ slightly from the picture.",
        "Spare parts are available for at least ten years.",
        "Delivered flat; no tools are needed to put it together.",
        "The battery lasts for about eleven hours at medium brightness.",
        "Please remove all packaging before first use.",
    ),
    "de": (
        "Der Griff bleibt auch nach einer Stunde auf dem Herd kühl.",
        "Mit fünf Jahren Garantie und einer Ersatzdichtung.",
        "In einer kleinen Werkstatt im Allgäu gefertigt.",
        "Spülmaschinenfest, wir empfehlen aber das Spülen von Hand.",
        "Die Farbe kann leicht vom Bild abweichen.",
        "Ersatzteile sind mindestens zehn Jahre lang erhältlich.",
    ),
    "es": (
        "El mango no se calienta ni después de una hora en el fuego.",
        "Incluye cinco años de garantía y una junta de repuesto.",
        "Fabricado en un pequeño taller de Galicia.",
        "Apto para lavavajillas, aunque es mejor lavarlo a mano.",
        "El color puede variar ligeramente respecto a la foto.",
        "Hay piezas de recambio durante al menos diez años.",
    ),
}
OPINIONS = {
    "en": (
        "Exactly what I was looking for", "Broke after two weeks", "Good value", "Smaller than expected",
        "Would buy again", "Not as pictured", "Sturdy and well made", "Arrived late but fine", "My partner loves it",
        "Disappointing finish", "Better than the old model", "Too heavy for me",
    ),
    "de": ("Genau das Richtige", "Nach zwei Wochen kaputt", "Etwas kleiner als gedacht", "Jederzeit wieder"),
    "es": ("Justo lo que buscaba", "Se rompió a las dos semanas", "Más pequeño de lo esperado", "Muy recomendable"),
}  # fmt: skip
PARTS = (
    "parser scheduler login-page export importer search-index mail-gateway dashboard mobile-view permissions billing "
    "notifications cache backup wiki-editor attachment-store api audit-log"
).split()
SYMPTOMS = {
    "en": (
        "crashes when the input is empty", "shows the wrong time zone", "loses the last line",
        "is slow with more than 1000 rows", "rejects valid e-mail addresses", "does not respect the page size",
        "leaks a file handle", "returns 500 for deleted users", "ignores the language setting",
        "duplicates entries after a retry", "cannot be disabled per project", "does not escape quotes",
        "shows a blank page in Firefox", "needs a keyboard shortcut", "should remember the last filter",
        "breaks on Windows paths", "fails behind a proxy", "prints a traceback on Ctrl-C", "should support CSV",
        "times out after 30 seconds",
    ),
    "de": ("stürzt bei leerer Eingabe ab", "zeigt die falsche Zeitzone", "verliert die letzte Zeile"),
    "es": ("falla con la entrada vacía", "muestra la zona horaria equivocada", "pierde la última línea"),
}  # fmt: skip
REPORTS = {
    "en": (
        "Steps to reproduce: open the page, choose the second entry and press Enter twice.",
        "This happens on the production system since the update last Tuesday, but not on staging.",
        "I attached the log. The interesting part is the last twenty lines.",
        "A workaround is to restart the worker by hand, which is not acceptable in the long run.",
        "Three customers have reported this independently.",
        "I could not reproduce it with a clean profile.",
        "The cause seems to be the change in r4821, which moved the check to the client.",
        "Please have a look before the release on Friday.",
        "Expected: a clear message. Actual: nothing happens at all.",
        "I would be glad to test a patch.",
        "Ignore my earlier comment, I had the wrong version installed.",
        "Somebody should ask the hosting company whether the disk was full that night.",
    ),
    "de": (
        "Der Fehler tritt seit dem letzten Dienstag auf, aber nur auf dem Produktivsystem.",
        "Im Anhang ist das Protokoll; wichtig sind die letzten zwanzig Zeilen.",
        "Mit einem frischen Profil konnte ich es nicht nachstellen.",
        "Bitte vor der Veröffentlichung am Freitag noch einmal prüfen.",
    ),
    "es": (
        "Ocurre desde la actualización del martes pasado, pero solo en producción.",
        "Adjunto el registro; lo interesante son las últimas veinte líneas.",
        "No pude reproducirlo con un perfil limpio.",
        "Por favor, revisadlo antes de la versión del viernes.",
    ),
}
TALK_STARTS = (
    "Scaling", "Debugging", "Rethinking", "A gentle introduction to", "What we learned from", "The hidden costs of",
    "Testing", "Securing", "Migrating away from", "Ten years of", "Visualising", "Automating",
)  # fmt: skip
TALK_THINGS = (
    "message queues", "legacy payroll code", "static typing", "open hospital data", "satellite imagery",
    "library catalogues", "edge devices", "public transport feeds", "feature flags", "schema changes",
    "incident reviews", "speech recognition", "community moderation", "accessible maps", "build systems",
    "weather models",
)  # fmt: skip
REQUESTS = (
    "Cannot sign in to the payroll portal", "Printer on floor 3 jams", "VPN drops every hour",
    "New starter needs a laptop", "Heating does not work in room 214", "Shared mailbox is full",
    "Badge does not open the east door", "Screen flickers after docking", "Request for a second monitor",
    "Expense claim was rejected twice", "Wi-Fi is weak in the canteen", "Please reset my telephone PIN",
    "Licence for the drawing program expired", "Lift makes a grinding noise", "Holiday balance looks wrong",
    "Drucker im zweiten Stock zieht kein Papier", "La impresora de la planta baja no responde",
)  # fmt: skip


class Words:
    """Draws from one random stream, so what it writes depends on the order of calls."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed))

    def language(self) -> str:
        """English mostly; one text in seven is German or Spanish."""
        return self.random.choice(("en",) * 12 + ("de", "es"))

    def person(self) -> tuple[str, str]:
        return self.random.choice(FIRST), self.random.choice(LAST)

    def people(self, count: int) -> list[tuple[str, str]]:
        """Distinct pairs of first and last name."""
        every = [(first, last) for first in FIRST for last in LAST]
        return self.random.sample(every, count)

    def prose(self, kind: dict[str, tuple[str, ...]], sentences: int, language: str = "") -> str:
        """Sentences of one language, none twice in a row."""
        known = kind[language or self.language()]
        drawn: list[str] = []
        while len(drawn) < sentences:
            drawn += self.random.sample(known, min(len(known), sentences - len(drawn)))
        return " ".join(drawn)

    def report(self, sentences: int = 3) -> str:
        return self.prose(REPORTS, sentences)

    def bug(self) -> str:
        part = self.random.choice(PARTS).replace("-", " ").capitalize()
        return f"{part} {self.random.choice(SYMPTOMS[self.language()])}"

    def opinion(self) -> str:
        return self.random.choice(OPINIONS[self.language()])

    def description(self, sentences: int = 4) -> str:
        return self.prose(PRAISE, sentences)

    def talk(self) -> str:
        return f"{self.random.choice(TALK_STARTS)} {self.random.choice(TALK_THINGS)}"

    def request(self) -> str:
        return self.random.choice(REQUESTS)

    def address(self) -> str:
        return f"{self.random.randint(1, 190)} {self.random.choice(STREETS)} Street"
