"""Crawls: how Screaming Frog heads its columns in each of its languages, and what others call the same.

The tool translates headers but not always all of them, and has renamed some over the years, so one format has the
headers of all languages. Headers not seen in a real file are marked with a question mark.
"""

from backlink_audit.exports.layout import Format

ADDRESS = ("Address", "Adresse", "Dirección", "Indirizzo", "Endereço")
STATUS_CODE = (
    "Status Code",
    "Status-Code",
    "Statuscode",  # ?
    "Code HTTP",
    "Code de réponse",  # ?
    "Code de statut",
    "Código de respuesta",
    "Código de estado",
    "Codice di stato",
    "Código de resposta",
)

SCREAMING_FROG_PAGES = Format(
    name="Screaming Frog pages",
    tool="Screaming Frog",
    table="pages",
    signature=(
        ADDRESS,
        (*STATUS_CODE, "Title 1", "Titel 1", "Título 1", "Titolo 1", "Titre 1", "H1-1", "Content Type", "Content"),
    ),
    headers={
        "url": ADDRESS,
        "content_type": (
            "Content Type",
            "Inhaltstyp",  # ?
            "Type de contenu",
            "Tipo de contenido",
            "Tipo di contenuto",
            "Tipo de conteúdo",  # ?
        ),
        "http_status": STATUS_CODE,
        "indexability": (
            "Indexability",
            "Indexierbarkeit",
            "Indexabilité",
            "Indexabilidad",
            "Indicizzabilità",
            "Indexabilidade",
        ),
        "indexability_status": (
            "Indexability Status",
            "Indexierbarkeitsstatus",  # ?
            "Status der Indexierbarkeit",  # ?
            "Statut d'indexabilité",
            "Statut d’indexabilité",
            "Estado de indexabilidad",
            "Stato di indicizzabilità",
            "Status de indexabilidade",  # ?
        ),
        "title": ("Title 1", "Titel 1", "Título 1", "Titolo 1", "Titre 1"),
        "h1": ("H1-1",),
        "h2": ("H2-1",),
        "meta_description": ("Meta Description 1", "Meta description 1", "Meta-Description 1"),
        "canonical": (
            "Canonical Link Element 1",
            "Canonical-Linkelement 1",
            "Élément de lien en version canonique 1",
            "Elemento de enlace canónico 1",
            "Elemento di link canonical 1",
        ),
        "word_count": (
            "Word Count",
            "Wortanzahl",
            "Nombre de mots",
            "Recuento de palabras",
            "Conteggio delle parole",
            "Contagem de palavras",  # ?
        ),
        "crawl_depth": (
            "Crawl Depth",
            "Level",
            "Crawltiefe",
            "Crawl profondeur",
            "Nivel de profundidad",
            "Livello di scansione",
        ),
        "inlinks": ("Inlinks", "Liens entrants", "Enlaces internos", "Link in entrata"),
        "unique_inlinks": (
            "Unique Inlinks",
            "Eindeutige Inlinks",  # ?
            "Liens entrants uniques",
            "Enlaces internos únicos",
            "Link in entrata unici",  # ?
        ),
        "redirect_url": (
            "Redirect URL",
            "Redirect URI",
            "Umleitungs-URL",
            "URL de redirection",
            "URL de redirección",
            "URL redirect",
        ),
        "language": ("Language", "Sprache", "Langue", "Idioma", "Lingua"),
        "content": ("Page Content", "Page Text", "Body", "Body Text", "Text", "Main Content", "Content", "Content 1"),
    },
)
"""In crawls of 2019 and before, `Content` is the content type; `recognise` decides by the values."""

SITEBULB_PAGES = Format(
    name="Sitebulb pages",
    tool="Sitebulb",
    table="pages",
    signature=(("URL",), ("HTTP Status Code",), ("Title", "H1", "Indexable Status", "Crawl Depth")),
    without=("Target URL", "Source URL", "Referring page URL", "Referring Page URL"),
    headers={
        "url": ("URL",),
        "content_type": ("Content Type",),
        "http_status": ("HTTP Status Code",),
        "indexability": ("Indexable",),
        "indexability_status": ("Indexable Status",),
        "title": ("Title", "Page Title"),
        "h1": ("H1",),
        "h2": ("H2",),
        "meta_description": ("Meta Description",),
        "canonical": ("Canonical URL", "Canonical"),
        "word_count": ("Word Count", "No. Content Words", "No. Words"),
        "crawl_depth": ("Crawl Depth", "Depth"),
        "inlinks": ("No. Internal Linking URLs", "Internal Linking URLs"),
        "redirect_url": ("Redirect URL",),
        "language": ("Language", "HTML Language"),
        "content": ("Content", "Page Content", "Text", "Body Text"),
    },
)
"""Headers besides URL, HTTP Status Code, Title and H1 were not seen in a real file."""

ADVERTOOLS_PAGES = Format(
    name="advertools crawl",
    tool="advertools",
    table="pages",
    signature=(("url",), ("body_text", "links_url", "crawl_time"), ("title", "h1", "status")),
    joined_by="@@",
    headers={
        "url": ("url",),
        "content_type": ("resp_headers_Content-Type",),
        "http_status": ("status",),
        "title": ("title",),
        "h1": ("h1",),
        "h2": ("h2",),
        "meta_description": ("meta_desc",),
        "canonical": ("canonical",),
        "crawl_depth": ("depth",),
        "content": ("body_text",),
    },
)

PLAIN_PAGES = Format(
    name="Pages (other tools)",
    tool="",
    table="pages",
    signature=(
        ("url", "Page URL", "Page", "Permalink", "Loc", *ADDRESS),
        ("title", "Page title", "h1", "content", "Page content", "text", "body", "Meta title", "Heading"),
    ),
    without=(
        "Target URL",
        "Source URL",
        "Referring page URL",
        "Clicks",
        "PA",
        "Keyword",
        "Referring domains",
        "Backlinks",
    ),
    headers={
        "url": ("url", "Page URL", "Permalink", "Loc", *ADDRESS, "Page"),
        "content_type": ("content_type", "Content Type"),
        "http_status": ("status", "status_code", "http_status", *STATUS_CODE),
        "indexability": ("indexability", "indexable"),
        "title": ("title", "Page title", "Meta title", "Title 1"),
        "h1": ("h1", "H1-1", "Heading"),
        "h2": ("h2", "H2-1"),
        "meta_description": ("meta_description", "Meta description", "Description"),
        "canonical": ("canonical", "Canonical URL"),
        "word_count": ("word_count", "Word count", "Words"),
        "crawl_depth": ("depth", "crawl_depth"),
        "inlinks": ("inlinks",),
        "redirect_url": ("redirect_url",),
        "language": ("language", "lang"),
        "content": ("content", "Page content", "text", "body", "Body text", "Main content"),
    },
)

SCREAMING_FROG_INLINKS = Format(
    name="Screaming Frog all inlinks",
    tool="Screaming Frog",
    table="inlinks",
    signature=(
        ("Source", "From", "Quelle", "Fuente", "Origen", "Origine"),
        ("Destination", "To", "Ziel", "Destino", "Destinazione"),
        (
            "Type",
            "Typ",
            "Tipo",
            "Anchor",
            "Anchor Text",
            "Ancrage",
            "Ancla",
            "Anker",
            "Ancora",
            "Follow",
            "Link Position",
        ),
    ),
    headers={
        "link_type": ("Type", "Typ", "Tipo"),
        "source_url": ("Source", "Quelle", "Fuente", "Origen", "Origine", "From"),
        "target_url": ("Destination", "Ziel", "Destino", "Destinazione", "To"),
        "anchor": ("Anchor", "Anchor Text", "Anker", "Ankertext", "Ancrage", "Ancla", "Texto ancla", "Ancora"),
        "alt_text": ("Alt Text", "Alt-Text", "Texte Alt", "Texto ALT", "Testo Alt"),
        "http_status": STATUS_CODE,
        "follow": ("Follow", "Folgen", "Suivre", "Suivi", "Seguir", "Segui"),
        "rel": ("Rel",),
        "link_position": (
            "Link Position",
            "Linkposition",
            "Position du lien",
            "Posición del enlace",
            "Posizione del link",
        ),
        "link_path": ("Link Path", "Linkpfad", "Chemin du lien", "Ruta del enlace", "Percorso del link"),
    },
)

PLAIN_INLINKS = Format(
    name="Inlinks (other tools)",
    tool="",
    table="inlinks",
    signature=(
        ("source_url", "Source URL", "Source page"),
        ("target_url", "Destination URL", "Target URL", "Target page"),
    ),
    headers={
        "link_type": ("link_type", "Type"),
        "source_url": ("source_url", "Source URL", "Source page"),
        "target_url": ("target_url", "Destination URL", "Target URL", "Target page"),
        "anchor": ("anchor", "anchor_text", "Anchor text"),
        "alt_text": ("alt_text", "Alt text"),
        "http_status": ("http_status", "Status code"),
        "follow": ("follow",),
        "rel": ("rel",),
        "link_position": ("link_position", "Link position"),
        "link_path": ("link_path", "Link path"),
    },
)
"""Plain backlinks have the same headers: which of the two a file is depends on the table asked for."""

PAGE_FORMATS = (SCREAMING_FROG_PAGES, SITEBULB_PAGES, ADVERTOOLS_PAGES, PLAIN_PAGES)
INLINK_FORMATS = (SCREAMING_FROG_INLINKS, PLAIN_INLINKS)
